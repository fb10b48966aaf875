/* SPDX-License-Identifier: Apache-2.0
 * file: src/nbody-cuda/GSimulation.cu
 * kernels: accelerate_particles update_particles accumulate_energy
 */
struct particle {
    float pos[3], vel[3], acc[3], mass;
};

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 107374182)
void accelerate_particles(struct particle *p LW_SHAPE(n), int n, float kSofteningSquared, float kG);

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 107374182)
void update_particles(struct particle *p LW_SHAPE(n), float *e LW_SHAPE(n), int n, float dt);

LW_BLOCK(1) LW_REQUIRES(n >= 1, grid.x == 1)
void accumulate_energy(float *e LW_SHAPE(n), int n);
