/* SPDX-License-Identifier: Apache-2.0
 * file: src/channelShuffle-cuda/main.cu
 * kernels: _Z24ChannelShuffleNCHWKernelIfLb0EEviiiPKT_PS0_ _Z24ChannelShuffleNCHWKernelIfLb1EEviiiPKT_PS0_ _Z24ChannelShuffleNHWCKernelIfLi32EEviiPKT_PS0_ _Z24ChannelShuffleNHWCKernelIfLi512EEviiPKT_PS0_
 *
 * G groups of K channels. Images come either by rows of the grid or by columns of it; the shared arrays hold all channels of a pixel.
 */
LW_FOR("_Z24ChannelShuffleNCHWKernelIfLb0EEviiiPKT_PS0_") LW_BLOCK(256)
LW_REQUIRES(G >= 1, K >= 1, HxW >= 1, grid.z == G * K, grid.x == (HxW + 255) / 256, G * K * HxW * grid.y <= 1073741824)
void images_by_y(int G, int K, int HxW, const float *X LW_SHAPE(grid.y, G * K, HxW), float *Y LW_SHAPE(grid.y, G * K, HxW));

LW_FOR("_Z24ChannelShuffleNCHWKernelIfLb1EEviiiPKT_PS0_") LW_BLOCK(256)
LW_REQUIRES(G >= 1, K >= 1, HxW >= 1, grid.z == G * K, grid.y == (HxW + 255) / 256, G * K * HxW * grid.x <= 1073741824)
void images_by_x(int G, int K, int HxW, const float *X LW_SHAPE(grid.x, G * K, HxW), float *Y LW_SHAPE(grid.x, G * K, HxW));

LW_FOR("_Z24ChannelShuffleNHWCKernelIfLi32EEviiPKT_PS0_") LW_BLOCK(256)
LW_REQUIRES(G >= 1, K >= 1, G * K <= 32, G * K * grid.x <= 1073741824)
void up_to_32_channels(int G, int K, const float *X LW_SHAPE(grid.x, G * K), float *Y LW_SHAPE(grid.x, G * K));

LW_FOR("_Z24ChannelShuffleNHWCKernelIfLi512EEviiPKT_PS0_") LW_BLOCK(256)
LW_REQUIRES(G >= 1, K >= 1, G * K <= 512, G * K * grid.x <= 1073741824)
void up_to_512_channels(int G, int K, const float *X LW_SHAPE(grid.x, G * K), float *Y LW_SHAPE(grid.x, G * K));
