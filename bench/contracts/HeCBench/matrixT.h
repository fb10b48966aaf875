/* SPDX-License-Identifier: Apache-2.0
 * file: src/matrixT-cuda/main.cu
 * kernels: copy copySharedMem transposeNaive transposeCoalesced transposeNoBankConflicts transposeDiagonal transposeFineGrained transposeCoarseGrained
 *
 * Both sides are multiples of the tile of 16, and the grid has one block for each tile.
 */
#define TILES                                                                                                                       \
    LW_BLOCK(16, 16)                                                                                                                \
    LW_REQUIRES(width >= 16, height >= 16, width % 16 == 0, height % 16 == 0, grid.x == width / 16, grid.y == height / 16,          \
                width * height <= 1073741824)

TILES
void copy(float *odata LW_SHAPE(height, width), const float *idata LW_SHAPE(height, width), int width, int height);

/* A program error otherwise: this kernel writes with the sides exchanged in its guard. */
TILES
void copySharedMem(float *odata LW_SHAPE(height, width), const float *idata LW_SHAPE(height, width), int width, int height);

TILES
void transposeNaive(float *odata LW_SHAPE(width, height), const float *idata LW_SHAPE(height, width), int width, int height);

TILES
void transposeCoalesced(float *odata LW_SHAPE(width, height), const float *idata LW_SHAPE(height, width), int width, int height);

TILES
void transposeNoBankConflicts(float *odata LW_SHAPE(width, height), const float *idata LW_SHAPE(height, width), int width, int height);

TILES
void transposeDiagonal(float *odata LW_SHAPE(width, height), const float *idata LW_SHAPE(height, width), int width, int height);

/* Transposes within each tile only. */
TILES
void transposeFineGrained(float *odata LW_SHAPE(height * width), const float *idata LW_SHAPE(height, width), int width, int height);

/* Moves the tiles only. */
TILES
void transposeCoarseGrained(float *odata LW_SHAPE(width, height), const float *idata LW_SHAPE(height, width), int width, int height);
