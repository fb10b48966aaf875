// struct parameters: fields, structs in structs, unnamed members, templates
#include <lanewise/contract.h>

template <typename T> struct matrix {
    T *data LW_SHAPE(rows, cols);
    struct {
        int rows, cols;
    };
    T scale;
    struct index {
        const int *at LW_SHAPE(rows) LW_VALUES(0, cols);
        int count;
    } rows_of;
    union {
        int i;
        float f;
    } either;
    int flag : 3;
    int fixed[4];
};

LW_BLOCK(64)
LW_REQUIRES(m.rows > 0, len(m.rows_of.at) >= m.rows, m.rows_of.count <= other.rows)
__global__ void multiply(matrix<float> m, const matrix<double> other, int rows)
{
    m.data[m.rows_of.at[0]] = other.data[rows];
}
