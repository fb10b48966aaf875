/* SPDX-License-Identifier: Apache-2.0
 * file: src/black-scholes-cuda/blackScholesAnalyticEngine.cu
 * kernels: getOutValOption
 */
struct option {
    int type;
    float strike, spot, q, r, t, vol, value, tol;
};

LW_BLOCK(256) LW_DOMAIN(numVals) LW_REQUIRES(numVals >= 1, numVals <= 107374182)
void getOutValOption(const struct option *options LW_SHAPE(numVals), float *outputVals LW_SHAPE(numVals), int numVals);
