LW_BLOCK(128)
void scale(float *a LW_SHAPE(n), int n);
