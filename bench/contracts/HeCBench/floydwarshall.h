/* SPDX-License-Identifier: Apache-2.0
 * file: src/floydwarshall-cuda/main.cu
 * kernels: floydWarshallPass
 *
 * The number of nodes is a multiple of the block's side.
 */
LW_REQUIRES(numNodes >= 1, numNodes <= 32768, block.x == block.y, numNodes % block.x == 0, grid.x == numNodes / block.x, grid.y == numNodes / block.y,
            pass < numNodes)
void floydWarshallPass(unsigned *pathDistanceBuffer LW_SHAPE(numNodes, numNodes), unsigned *pathBuffer LW_SHAPE(numNodes, numNodes), unsigned numNodes,
                       unsigned pass);
