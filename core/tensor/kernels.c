#include "tensor/kernels.h"

#include <math.h>
#include <string.h>

void kernel_transpose(double *out, const double *x, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++)
            out[j * n + i] = x[i * d + j];
    }
}

static void softmax_row(double *out, const double *x, size_t d) {
    double largest = x[kernel_argmax(x, d)];
    if (largest == -INFINITY) {
        memset(out, 0, d * sizeof *out);
        return;
    }
    double total = 0;
    for (size_t j = 0; j < d; j++) {
        out[j] = exp(x[j] - largest);
        total += out[j];
    }
    for (size_t j = 0; j < d; j++)
        out[j] /= total;
}

void kernel_softmax(double *out, const double *x, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++)
        softmax_row(out + i * d, x + i * d, d);
}

double kernel_mean(const double *x, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += x[j];
    return sum / (double)d;
}

double kernel_variance(const double *x, double mean, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += (x[j] - mean) * (x[j] - mean);
    return sum / (double)d;
}

void kernel_layer_norm(double *out, const double *x, const double *gamma,
                       const double *beta, double epsilon, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        const double *row = x + i * d;
        double mean = kernel_mean(row, d);
        double deviation = sqrt(kernel_variance(row, mean, d) + epsilon);
        for (size_t j = 0; j < d; j++) {
            double normal = (row[j] - mean) / deviation;
            out[i * d + j] = normal * (gamma ? gamma[j] : 1) + (beta ? beta[j] : 0);
        }
    }
}

size_t kernel_argmax(const double *x, size_t d) {
    size_t best = 0;
    for (size_t j = 0; j < d; j++) {
        if (isnan(x[j]))
            return j;
        if (x[j] > x[best])
            best = j;
    }
    return best;
}

void kernel_positional_encoding(double *out, size_t n, size_t d) {
    for (size_t pos = 0; pos < n; pos++) {
        for (size_t j = 0; j < d; j++) {
            double exponent = (double)(j / 2 * 2) / (double)d;
            double angle = (double)pos / pow(10000, exponent);
            out[pos * d + j] = j % 2 == 0 ? sin(angle) : cos(angle);
        }
    }
}
