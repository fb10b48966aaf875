/* SPDX-License-Identifier: Apache-2.0
 * file: src/kmeans-cuda/cluster.cu
 * kernels: feature_transpose find_membership
 *
 * The grid has a block more than needed where the points fill whole blocks.
 */
LW_REQUIRES(npoints >= 1, nfeatures >= 1, npoints * nfeatures <= 1073741824, grid.x == (npoints + block.x) / block.x)
void feature_transpose(float *feature_swap LW_SHAPE(nfeatures, npoints), const float *feature LW_SHAPE(npoints, nfeatures), int nfeatures, int npoints);

LW_REQUIRES(npoints >= 1, nfeatures >= 1, nclusters >= 1, npoints * nfeatures <= 1073741824, nclusters <= npoints, grid.x == (npoints + block.x) / block.x)
void find_membership(const float *feature LW_SHAPE(nfeatures, npoints), const float *cluster LW_SHAPE(nclusters, nfeatures), int *member LW_SHAPE(npoints),
                     int nclusters, int nfeatures, int npoints);
