#include "picture/formula/formula_symbols.h"

#include <string.h>

#define ORDINARY(name, text)                                                             \
    { name, text, CLASS_ORDINARY, FACE_UPRIGHT, false, false }
#define GREEK(name, text)                                                                \
    { name, text, CLASS_ORDINARY, FACE_ITALIC, false, false }
#define BINARY(name, text)                                                               \
    { name, text, CLASS_BINARY, FACE_UPRIGHT, false, false }
#define RELATION(name, text)                                                             \
    { name, text, CLASS_RELATION, FACE_UPRIGHT, false, false }
#define FUNCTION(name)                                                                   \
    { name, name, CLASS_OPERATOR, FACE_UPRIGHT, false, false }

static const FormulaSymbol symbols[] = {
    {"sum", "∑", CLASS_OPERATOR, FACE_UPRIGHT, true, true},
    {"max", "max", CLASS_OPERATOR, FACE_UPRIGHT, true, false},
    {"min", "min", CLASS_OPERATOR, FACE_UPRIGHT, true, false},
    FUNCTION("sin"),
    FUNCTION("cos"),
    FUNCTION("exp"),
    FUNCTION("log"),
    BINARY("cdot", "⋅"),
    BINARY("times", "×"),
    BINARY("div", "÷"),
    ORDINARY("pm", "±"),
    BINARY("odot", "⊙"),
    RELATION("le", "≤"),
    RELATION("ge", "≥"),
    RELATION("ne", "≠"),
    RELATION("approx", "≈"),
    RELATION("in", "∈"),
    RELATION("to", "→"),
    ORDINARY("infty", "∞"),
    ORDINARY("partial", "∂"),
    {"ldots", "…", CLASS_INNER, FACE_UPRIGHT, false, false},
    GREEK("alpha", "α"),
    GREEK("beta", "β"),
    GREEK("gamma", "γ"),
    GREEK("delta", "δ"),
    GREEK("epsilon", "ε"),
    GREEK("zeta", "ζ"),
    GREEK("eta", "η"),
    GREEK("theta", "θ"),
    GREEK("iota", "ι"),
    GREEK("kappa", "κ"),
    GREEK("lambda", "λ"),
    GREEK("mu", "μ"),
    GREEK("nu", "ν"),
    GREEK("xi", "ξ"),
    GREEK("omicron", "ο"),
    GREEK("pi", "π"),
    GREEK("rho", "ρ"),
    GREEK("sigma", "σ"),
    GREEK("tau", "τ"),
    GREEK("upsilon", "υ"),
    GREEK("phi", "φ"),
    GREEK("chi", "χ"),
    GREEK("psi", "ψ"),
    GREEK("omega", "ω"),
    ORDINARY("Gamma", "Γ"),
    ORDINARY("Delta", "Δ"),
    ORDINARY("Theta", "Θ"),
    ORDINARY("Lambda", "Λ"),
    ORDINARY("Xi", "Ξ"),
    ORDINARY("Pi", "Π"),
    ORDINARY("Sigma", "Σ"),
    ORDINARY("Phi", "Φ"),
    ORDINARY("Psi", "Ψ"),
    ORDINARY("Omega", "Ω"),
    {"{", "{", CLASS_OPENING, FACE_UPRIGHT, false, false},
    {"}", "}", CLASS_CLOSING, FACE_UPRIGHT, false, false},
    ORDINARY("_", "_"),
    ORDINARY("%", "%"),
    BINARY(NULL, "+"),
    BINARY(NULL, "−"),
    BINARY(NULL, "∗"),
    RELATION(NULL, "="),
    RELATION(NULL, "<"),
    RELATION(NULL, ">"),
    {NULL, "(", CLASS_OPENING, FACE_UPRIGHT, false, false},
    {NULL, "[", CLASS_OPENING, FACE_UPRIGHT, false, false},
    {NULL, ")", CLASS_CLOSING, FACE_UPRIGHT, false, false},
    {NULL, "]", CLASS_CLOSING, FACE_UPRIGHT, false, false},
    {NULL, ",", CLASS_PUNCTUATION, FACE_UPRIGHT, false, false},
    {NULL, ";", CLASS_PUNCTUATION, FACE_UPRIGHT, false, false},
    ORDINARY(NULL, "/"),
    ORDINARY(NULL, "."),
    ORDINARY(NULL, ":"), /* in a slice, not in the signature of a map */
    ORDINARY(NULL, "|"),
    ORDINARY(NULL, "!"),
};

enum { SYMBOL_COUNT = sizeof symbols / sizeof *symbols };

static bool is_same_text(const char *text, const char *part, size_t length) {
    return text && strncmp(text, part, length) == 0 && !text[length];
}

const FormulaSymbol *formula_symbol_named(const char *name, size_t length) {
    for (size_t i = 0; i < SYMBOL_COUNT; i++) {
        if (is_same_text(symbols[i].name, name, length))
            return &symbols[i];
    }
    return NULL;
}

const FormulaSymbol *formula_symbol_typed(const char *character, size_t length) {
    if (is_same_text("-", character, length))
        return formula_symbol_typed("−", strlen("−"));
    if (is_same_text("*", character, length))
        return formula_symbol_typed("∗", strlen("∗"));
    if (is_same_text("·", character, length))
        return formula_symbol_named("cdot", strlen("cdot"));
    for (size_t i = 0; i < SYMBOL_COUNT; i++) {
        if (is_same_text(symbols[i].text, character, length))
            return &symbols[i];
    }
    return NULL;
}
