#include "tensor/operations/kernels.h"

#include "base/maths.h"

#include <string.h>

static void softmax_row(double *out, const double *x, size_t d) {
    double largest = x[kernel_argmax(x, d)];
    if (largest == -INFINITY) {
        memset(out, 0, d * sizeof *out);
        return;
    }
    double total = 0;
    for (size_t j = 0; j < d; j++) {
        /* skips exp, since masks have many of these */
        out[j] = x[j] == -INFINITY ? 0 : exp(x[j] - largest);
        total += out[j];
    }
    for (size_t j = 0; j < d; j++)
        out[j] /= total;
}

void kernel_softmax(double *out, const double *x, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++)
        softmax_row(out + i * d, x + i * d, d);
}

void kernel_softmax_backward(double *dx, const double *y, const double *g, size_t n,
                             size_t d) {
    for (size_t i = 0; i < n; i++, dx += d, y += d, g += d) {
        double total = 0;
        for (size_t j = 0; j < d; j++)
            total += g[j] * y[j];
        for (size_t j = 0; j < d; j++)
            dx[j] += y[j] * (g[j] - total);
    }
}

static double exponentials(const double *x, double largest, size_t d) {
    double total = 0;
    for (size_t j = 0; j < d; j++)
        total += exp(x[j] - largest);
    return total;
}

void kernel_cross_entropy(double *out, const double *x, const double *targets, size_t n,
                          size_t d) {
    for (size_t i = 0; i < n; i++, x += d) {
        double target = targets[i], largest = x[kernel_argmax(x, d)];
        if (target == -1)
            out[i] = 0;
        else if (!(target >= 0 && target < (double)d && target == floor(target)))
            out[i] = NAN;
        else if (largest == -INFINITY)
            out[i] = INFINITY;
        else
            out[i] = log(exponentials(x, largest, d)) - (x[(size_t)target] - largest);
    }
}

void kernel_cross_entropy_backward(double *dx, const double *x, const double *targets,
                                   const double *loss, const double *g, size_t n,
                                   size_t d) {
    for (size_t i = 0; i < n; i++, x += d, dx += d) {
        double target = targets[i], largest = x[kernel_argmax(x, d)];
        bool is_column = target >= 0 && target < (double)d && target == floor(target);
        if (!is_column || largest == -INFINITY)
            continue;
        /* log of the row's sum of e^x; the loss of a masked target doesn't determine
         * it */
        double log_total = loss[i] < INFINITY
                               ? loss[i] + x[(size_t)target]
                               : largest + log(exponentials(x, largest, d));
        for (size_t j = 0; j < d; j++)
            dx[j] += g[i] * exp(x[j] - log_total);
        dx[(size_t)target] -= g[i];
    }
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

void kernel_norm(double *out, const double *x, const double *gamma, const double *beta,
                 bool centred, double epsilon, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++) {
        const double *row = x + i * d;
        double mean = centred ? kernel_mean(row, d) : 0;
        double deviation = sqrt(kernel_variance(row, mean, d) + epsilon);
        for (size_t j = 0; j < d; j++) {
            double normal = (row[j] - mean) / deviation;
            out[i * d + j] = normal * (gamma ? gamma[j] : 1) + (beta ? beta[j] : 0);
        }
    }
}

/* With x̂ the normalized row and h = g · γ: dx = (h − mean(h) − x̂ · mean(h · x̂)) /
 * standard deviation; mean(h) only if rows are centred. */
static void norm_row_backward(double *dx, const double *x, const double *gamma,
                              const double *g, bool centred, double mean,
                              double deviation, size_t d) {
    double plain = 0, along = 0;
    for (size_t j = 0; j < d; j++) {
        double h = gamma ? g[j] * gamma[j] : g[j];
        plain += h;
        along += h * (x[j] - mean);
    }
    plain = centred ? plain / (double)d : 0;
    along /= (double)d * deviation * deviation;
    for (size_t j = 0; j < d; j++) {
        double h = gamma ? g[j] * gamma[j] : g[j];
        dx[j] += (h - plain - (x[j] - mean) * along) / deviation;
    }
}

void kernel_norm_backward(double *dx, double *dgamma, double *dbeta, const double *x,
                          const double *gamma, bool centred, double epsilon,
                          const double *g, size_t n, size_t d) {
    for (size_t i = 0; i < n; i++, x += d, g += d) {
        double mean = centred ? kernel_mean(x, d) : 0;
        double deviation = sqrt(kernel_variance(x, mean, d) + epsilon);
        if (dx)
            norm_row_backward(dx + i * d, x, gamma, g, centred, mean, deviation, d);
        for (size_t j = 0; dgamma && j < d; j++)
            dgamma[j] += g[j] * ((x[j] - mean) / deviation);
        for (size_t j = 0; dbeta && j < d; j++)
            dbeta[j] += g[j];
    }
}

size_t kernel_next_largest(const double *x, size_t d, size_t last) {
    size_t next = d;
    for (size_t j = 0; j < d; j++) {
        bool after = last >= d || x[j] < x[last] || (x[j] == x[last] && j > last);
        if (after && (next == d || x[j] > x[next]))
            next = j;
    }
    return next;
}

size_t kernel_argmax(const double *x, size_t d) {
    size_t best = 0;
    for (size_t j = 0; j < d; j++) {
        if (x[j] <= x[best])
            continue;
        best = j;
        if (isnan(x[j]))
            break;
    }
    return best;
}

void kernel_positional_encoding(double *out, size_t n, size_t d) {
    for (size_t j = 0; j < d; j++) {
        double length = pow(10000, (double)(j / 2 * 2) / (double)d);
        for (size_t pos = 0; pos < n; pos++) {
            double angle = (double)pos / length;
            out[pos * d + j] = j % 2 == 0 ? sin(angle) : cos(angle);
        }
    }
}

void kernel_rotary_add(double *out, const double *x, const double *positions, double sign,
                       size_t n, size_t cols, size_t heads, double base) {
    size_t width = cols / heads, half = width / 2;
    for (size_t i = 0; i < half; i++) {
        double length = pow(base, (double)(2 * i) / (double)width);
        for (size_t row = 0; row < n; row++) {
            double angle = sign * (positions ? positions[row] : (double)row) / length;
            double c = cos(angle), s = sin(angle);
            for (size_t head = 0; head < heads; head++) {
                size_t first = row * cols + head * width + i, second = first + half;
                double a = x[first], b = x[second];
                out[first] += a * c - b * s;
                out[second] += b * c + a * s;
            }
        }
    }
}
