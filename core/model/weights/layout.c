#include "model/weights/weights.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

enum { GPT2, BERT, LLAMA, COLUMNS };

/* Storage order of a weight. PyTorch's linear maps are transposed. */
typedef enum Storage {
    TRANSPOSED, /* a matrix [outputs, inputs]; a vector */
    DIRECT,     /* a matrix W of x W, as in GPT-2's Conv1D */
    FUSED_Q,    /* the first third of the columns of such a matrix, or of a vector */
    FUSED_K,    /* the second third */
    FUSED_V     /* the last third */
} Storage;

typedef struct LayoutName {
    const char *name; /* # is the layer's number; NULL: the layout has none such */
    Storage storage;
} LayoutName;

#define ATTENTION "encoder.layer.#.attention."
static const struct {
    const char *own; /* the name after tower and layer number */
    LayoutName names[COLUMNS];
} NAMES[] = {
    {"embedding.table",
     {{"wte.weight", TRANSPOSED},
      {"embeddings.word_embeddings.weight", TRANSPOSED},
      {"embed_tokens.weight", TRANSPOSED}}},
    {"position.table",
     {{"wpe.weight", TRANSPOSED},
      {"embeddings.position_embeddings.weight", TRANSPOSED},
      {0}}},
    {"segment.table",
     {{0}, {"embeddings.token_type_embeddings.weight", TRANSPOSED}, {0}}},
    {"embedding_norm.gamma", {{0}, {"embeddings.LayerNorm.weight", TRANSPOSED}, {0}}},
    {"embedding_norm.beta", {{0}, {"embeddings.LayerNorm.bias", TRANSPOSED}, {0}}},
    {"norm_1.gamma",
     {{"h.#.ln_1.weight", TRANSPOSED},
      {ATTENTION "output.LayerNorm.weight", TRANSPOSED},
      {"layers.#.input_layernorm.weight", TRANSPOSED}}},
    {"norm_1.beta",
     {{"h.#.ln_1.bias", TRANSPOSED},
      {ATTENTION "output.LayerNorm.bias", TRANSPOSED},
      {0}}},
    {"self_attention.W_Q",
     {{"h.#.attn.c_attn.weight", FUSED_Q},
      {ATTENTION "self.query.weight", TRANSPOSED},
      {"layers.#.self_attn.q_proj.weight", TRANSPOSED}}},
    {"self_attention.b_Q",
     {{"h.#.attn.c_attn.bias", FUSED_Q},
      {ATTENTION "self.query.bias", TRANSPOSED},
      {"layers.#.self_attn.q_proj.bias", TRANSPOSED}}},
    {"self_attention.W_K",
     {{"h.#.attn.c_attn.weight", FUSED_K},
      {ATTENTION "self.key.weight", TRANSPOSED},
      {"layers.#.self_attn.k_proj.weight", TRANSPOSED}}},
    {"self_attention.b_K",
     {{"h.#.attn.c_attn.bias", FUSED_K},
      {ATTENTION "self.key.bias", TRANSPOSED},
      {"layers.#.self_attn.k_proj.bias", TRANSPOSED}}},
    {"self_attention.W_V",
     {{"h.#.attn.c_attn.weight", FUSED_V},
      {ATTENTION "self.value.weight", TRANSPOSED},
      {"layers.#.self_attn.v_proj.weight", TRANSPOSED}}},
    {"self_attention.b_V",
     {{"h.#.attn.c_attn.bias", FUSED_V},
      {ATTENTION "self.value.bias", TRANSPOSED},
      {"layers.#.self_attn.v_proj.bias", TRANSPOSED}}},
    {"self_attention.W_O",
     {{"h.#.attn.c_proj.weight", DIRECT},
      {ATTENTION "output.dense.weight", TRANSPOSED},
      {"layers.#.self_attn.o_proj.weight", TRANSPOSED}}},
    {"self_attention.b_O",
     {{"h.#.attn.c_proj.bias", TRANSPOSED},
      {ATTENTION "output.dense.bias", TRANSPOSED},
      {"layers.#.self_attn.o_proj.bias", TRANSPOSED}}},
    {"norm_2.gamma",
     {{"h.#.ln_2.weight", TRANSPOSED},
      {"encoder.layer.#.output.LayerNorm.weight", TRANSPOSED},
      {"layers.#.post_attention_layernorm.weight", TRANSPOSED}}},
    {"norm_2.beta",
     {{"h.#.ln_2.bias", TRANSPOSED},
      {"encoder.layer.#.output.LayerNorm.bias", TRANSPOSED},
      {0}}},
    {"feed_forward.W_1",
     {{"h.#.mlp.c_fc.weight", DIRECT},
      {"encoder.layer.#.intermediate.dense.weight", TRANSPOSED},
      {0}}},
    {"feed_forward.b_1",
     {{"h.#.mlp.c_fc.bias", TRANSPOSED},
      {"encoder.layer.#.intermediate.dense.bias", TRANSPOSED},
      {0}}},
    {"feed_forward.W_2",
     {{"h.#.mlp.c_proj.weight", DIRECT},
      {"encoder.layer.#.output.dense.weight", TRANSPOSED},
      {0}}},
    {"feed_forward.b_2",
     {{"h.#.mlp.c_proj.bias", TRANSPOSED},
      {"encoder.layer.#.output.dense.bias", TRANSPOSED},
      {0}}},
    {"feed_forward.W_gate", {{0}, {0}, {"layers.#.mlp.gate_proj.weight", TRANSPOSED}}},
    {"feed_forward.b_gate", {{0}, {0}, {"layers.#.mlp.gate_proj.bias", TRANSPOSED}}},
    {"feed_forward.W_up", {{0}, {0}, {"layers.#.mlp.up_proj.weight", TRANSPOSED}}},
    {"feed_forward.b_up", {{0}, {0}, {"layers.#.mlp.up_proj.bias", TRANSPOSED}}},
    {"feed_forward.W_down", {{0}, {0}, {"layers.#.mlp.down_proj.weight", TRANSPOSED}}},
    {"feed_forward.b_down", {{0}, {0}, {"layers.#.mlp.down_proj.bias", TRANSPOSED}}},
    {"norm.gamma", {{"ln_f.weight", TRANSPOSED}, {0}, {"norm.weight", TRANSPOSED}}},
    {"norm.beta", {{"ln_f.bias", TRANSPOSED}, {0}, {0}}},
    {"logits.W", {{"lm_head.weight", TRANSPOSED}, {0}, {"lm_head.weight", TRANSPOSED}}},
};
#undef ATTENTION

/* Masks and position indices that are stored with the weights, and heads for other tasks;
 * * matches any rest. */
static const char *const GPT2_EXTRA[] = {"h.#.attn.bias", "h.#.attn.masked_bias",
                                         "position_ids", "score.weight", NULL};
static const char *const BERT_EXTRA[] = {
    "embeddings.position_ids", "pooler.*", "cls.*", "classifier.*", "qa_outputs.*", NULL};
static const char *const LLAMA_EXTRA[] = {"layers.#.self_attn.rotary_emb.inv_freq",
                                          "rotary_emb.inv_freq", "score.weight", NULL};
static const char *const NO_EXTRA[] = {NULL};

static const Layout LAYOUTS[] = {
    {"GPT-2", "wte.weight", "transformer.", "h.", TRANSFORMER_DECODER, true, "pre", GPT2,
     GPT2_EXTRA, false},
    {"BERT", "embeddings.word_embeddings.weight", "bert.", "encoder.layer.",
     TRANSFORMER_ENCODER, false, "post", BERT, BERT_EXTRA, false},
    {"LLaMA", "embed_tokens.weight", "model.", "layers.", TRANSFORMER_DECODER, true,
     "rms", LLAMA, LLAMA_EXTRA, false},
};

/* GPT-2's names with nn.Linear's matrices. */
static const Layout NANOGPT = {"nanoGPT",           "wte.weight", "transformer.", "h.",
                               TRANSFORMER_DECODER, true,         "pre",          GPT2,
                               GPT2_EXTRA,          true};

/* Names that identify nn.Transformer's layout. */
static const char *const TORCH_SIGNS[] = {"src_embed.*",
                                          "tgt_embed.*",
                                          "generator.*",
                                          "encoder.layers.#.self_attn.in_proj_weight",
                                          "encoder.layers.#.linear*",
                                          "decoder.layers.#.self_attn.in_proj_weight",
                                          "decoder.layers.#.linear*",
                                          NULL};

static const Layout TORCH = {.outer = "transformer.", .extra = NO_EXTRA};

/* ---- names ---- */

static bool begins_with(const char *name, const char *beginning) {
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

const char *layout_inner(const Layout *layout, const char *name) {
    return begins_with(name, layout->outer) ? name + strlen(layout->outer) : name;
}

static const SafetensorsTensor *
find_exactly(const Layout *layout, const Safetensors *tensors, const char *name) {
    char outer[200];
    const SafetensorsTensor *tensor = safetensors_tensor(tensors, name);
    if (tensor)
        return tensor;
    snprintf(outer, sizeof outer, "%s%s", layout->outer, name);
    return safetensors_tensor(tensors, outer);
}

const SafetensorsTensor *layout_tensor(const Layout *layout, const Safetensors *tensors,
                                       const char *name) {
    static const char norm[] = "LayerNorm.";
    const SafetensorsTensor *tensor = find_exactly(layout, tensors, name);
    const char *at = strstr(name, norm);
    char older[200];
    if (tensor || !at)
        return tensor;
    int length = (int)(at + sizeof norm - 1 - name);
    bool weight = strcmp(name + length, "weight") == 0;
    snprintf(older, sizeof older, "%.*s%s", length, name, weight ? "gamma" : "beta");
    return find_exactly(layout, tensors, older);
}

/* Reports whether a name matches a pattern: # is any number, a final * any rest. */
static bool fits(const char *pattern, const char *name) {
    for (; *pattern; pattern++) {
        if (*pattern == '*')
            return true;
        if (*pattern != '#' && *pattern != *name++)
            return false;
        if (*pattern != '#')
            continue;
        if (!isdigit((unsigned char)*name))
            return false;
        while (isdigit((unsigned char)*name))
            name++;
    }
    return !*name;
}

/* The fused matrix of W_Q, W_K and W_V is never square, [d_model, 3 d_model] in GPT-2, so
 * its shape tells the two layouts apart. */
static const Layout *gpt2_or_nanogpt(const Layout *gpt2, const Safetensors *tensors) {
    const SafetensorsTensor *fused =
        find_exactly(gpt2, tensors, "h.0.attn.c_attn.weight");
    bool is_nanogpt =
        fused && fused->axis_count == 2 && fused->axes[0] == 3 * fused->axes[1];
    return is_nanogpt ? &NANOGPT : gpt2;
}

const Layout *layout_of(const Safetensors *tensors) {
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
        if (find_exactly(&LAYOUTS[i], tensors, LAYOUTS[i].sign))
            return LAYOUTS[i].column == GPT2 ? gpt2_or_nanogpt(&LAYOUTS[i], tensors)
                                             : &LAYOUTS[i];
    }
    for (size_t i = 0; i < tensors->count; i++) {
        const char *name = layout_inner(&TORCH, tensors->tensors[i].name);
        for (const char *const *sign = TORCH_SIGNS; *sign; sign++) {
            if (fits(*sign, name))
                return &TORCH;
        }
    }
    return NULL;
}

/* Writes a name with today's names of a norm's weight and bias. */
static void write_newer(char out[200], const char *name) {
    static const char norm[] = "LayerNorm.";
    const char *at = strstr(name, norm);
    const char *own = at ? at + sizeof norm - 1 : "";
    bool gamma = strcmp(own, "gamma") == 0;
    if (gamma || strcmp(own, "beta") == 0)
        snprintf(out, 200, "%.*s%s", (int)(own - name), name, gamma ? "weight" : "bias");
    else
        snprintf(out, 200, "%s", name);
}

const char *layout_lesson_name(const Layout *layout, const char *name) {
    char newer[200];
    write_newer(newer, name);
    for (size_t i = 0; layout->title && i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *pattern = NAMES[i].names[layout->column].name;
        if (pattern && fits(pattern, newer))
            return NAMES[i].own;
    }
    return NULL;
}

bool layout_ignores(const Layout *layout, const char *name) {
    const char *inner = layout_inner(layout, name);
    for (const char *const *extra = layout->extra; *extra; extra++) {
        if (fits(*extra, inner))
            return true;
    }
    return false;
}

size_t layout_layers(const Layout *layout, const Safetensors *tensors,
                     const char *tower) {
    char beginning[64];
    size_t count = 0;
    snprintf(beginning, sizeof beginning, "%s.layers.", tower);
    const char *begin = layout->layers ? layout->layers : beginning;
    for (size_t i = 0; i < tensors->count; i++) {
        const char *name = layout_inner(layout, tensors->tensors[i].name);
        if (!begins_with(name, begin))
            continue;
        unsigned long layer = strtoul(name + strlen(begin), NULL, 10);
        if (layer < TENSOR_MAX_CELLS && layer + 1 > count)
            count = layer + 1;
    }
    return count;
}

/* ---- entries ---- */

/* A parameter's name after tower and layer number; stores the number in *layer. */
static const char *inner_name(const char *name, unsigned long *layer) {
    static const char *const towers[] = {"encoder.", "decoder."};
    for (size_t i = 0; i < 2; i++)
        name += begins_with(name, towers[i]) ? strlen(towers[i]) : 0;
    if (!isdigit((unsigned char)*name))
        return name;
    char *end;
    *layer = strtoul(name, &end, 10);
    return end + 1;
}

static const LayoutName *name_of(const Layout *layout, const char *own) {
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(NAMES[i].own, own) == 0)
            return &NAMES[i].names[layout->column];
    }
    return NULL;
}

static void write_name(char out[120], const char *pattern, unsigned long layer) {
    const char *number = strchr(pattern, '#');
    if (number)
        snprintf(out, 120, "%.*s%lu%s", (int)(number - pattern), pattern, layer,
                 number + 1);
    else
        snprintf(out, 120, "%s", pattern);
}

static bool is_matrix(const TransformerParameter *parameter) {
    return parameter->is_table || parameter->start == TRANSFORMER_START_XAVIER;
}

/* PyTorch's own layout: transformer_parameters has all of it. */
static void find_torch(const TransformerParameter *parameter, LayoutEntry *place) {
    *place = (LayoutEntry){.axis_count = is_matrix(parameter) ? 2 : 1,
                           .axes = {parameter->torch_rows, parameter->torch_cols},
                           .first = parameter->torch_first,
                           .is_table = parameter->is_table};
    snprintf(place->name, sizeof place->name, "%s", parameter->torch_name);
}

bool layout_find(const Layout *layout, const TransformerParameter *parameter,
                 LayoutEntry *place) {
    unsigned long layer = 0;
    if (!layout->title) {
        find_torch(parameter, place);
        return true;
    }
    const LayoutName *name = name_of(layout, inner_name(parameter->name, &layer));
    if (!name || !name->name)
        return false;
    size_t rows = parameter->rows, cols = parameter->cols;
    bool fused = name->storage >= FUSED_Q;
    *place = (LayoutEntry){.axis_count = is_matrix(parameter) ? 2 : 1,
                           .straight = is_matrix(parameter) &&
                                       name->storage != TRANSPOSED && !layout->turned,
                           .is_table = parameter->is_table};
    write_name(place->name, name->name, layer);
    place->first = fused ? cols * (size_t)(name->storage - FUSED_Q) : 0;
    size_t outputs = fused ? 3 * cols : cols;
    if (parameter->torch_first && !fused && strcmp(name->name, "lm_head.weight") == 0) {
        place->first = parameter->torch_first; /* skips IDs that are never generated */
        outputs = parameter->torch_rows;
    }
    place->axes[0] = place->axis_count == 1                   ? outputs
                     : parameter->is_table || place->straight ? rows
                                                              : outputs;
    place->axes[1] = place->axis_count == 1 ? 1
                     : parameter->is_table  ? cols
                     : place->straight      ? outputs
                                            : rows;
    return true;
}
