#include "picture/overlays/overlays_parts.h"

#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

static const double WIDTH = 1320, HEIGHT = 760, LIST_WIDTH = 400, ROW = 44, GAP = 36,
                    FIELD = 46, PAD = 12, ENTRY_SPACING = 1.5;
enum { TEXT_LINES = 9 };

static void draw_search(const Canvas *canvas, const HelpField *search, Box box) {
    scene_rectangle(canvas->scene, box, 8, canvas->theme->page, canvas->theme->accent, 2);
    box = box_narrowed(box, PAD);
    field_draw_text(canvas, search, TYPE_TEXT, box, "glossary.search");
}

/* The term in plain words if it is written otherwise, else "". */
static const char *plain_of(const GlossaryTerm *term) {
    return strcmp(term->term, term->plain) != 0 ? term->plain : "";
}

static void draw_list(const Canvas *canvas, const GlossaryPanel *panel, Box area) {
    size_t fits = (size_t)fmax(floor(area.h / ROW), 1);
    size_t first = panel->chosen >= fits / 2 ? panel->chosen - fits / 2 : 0;
    if (first + fits > panel->count)
        first = panel->count > fits ? panel->count - fits : 0;
    if (panel->count)
        scroll_bar_draw(canvas, area, (double)first, (double)fits, (double)panel->count);
    else
        text_line(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink_soft,
                  box_take_top(&area, ROW), LABEL_LEFT,
                  canvas_string(canvas, "glossary.none"));
    for (size_t i = first; i < panel->count && i < first + fits; i++) {
        const GlossaryTerm *term = &panel->glossary->terms[panel->found[i]];
        list_row_draw(canvas,
                      &(ListRow){.link = {LINK_TERM, panel->found[i], 0, 0},
                                 .chosen = i == panel->chosen,
                                 .words = term->term,
                                 .detail = plain_of(term)},
                      box_take_top(&area, ROW));
    }
}

static void draw_entry(const Canvas *canvas, const GlossaryPanel *panel, Box area) {
    const Theme *theme = canvas->theme;
    const GlossaryTerm *term = &panel->glossary->terms[panel->found[panel->chosen]];
    Box title = box_take_top(&area, FIELD),
        name = text_line(canvas, FONT_BOLD, TYPE_TITLE, theme->ink, title, LABEL_LEFT,
                         term->term);
    box_take_left(&title, name.w + GAP / 2);
    text_line(canvas, FONT_TEXT, TYPE_LARGE, theme->ink_faint, title, LABEL_LEFT,
              plain_of(term));
    TextBlock meaning =
        text_block(canvas, FONT_TEXT, TYPE_HEAD, theme->ink, TEXT_LINES, term->say);
    meaning.spacing = ENTRY_SPACING;
    box_take_top(&area, PAD);
    text_block_take(canvas, &meaning, &area);
    box_take_top(&area, GAP / 2);
    if (panel->place_count)
        text_line(canvas, FONT_BOLD, TYPE_TEXT, theme->ink_soft, box_take_top(&area, ROW),
                  LABEL_LEFT, canvas_string(canvas, "glossary.see"));
    for (size_t i = 0; i < panel->place_count; i++)
        list_row_draw(canvas,
                      &(ListRow){.link = panel->places[i].link,
                                 .chosen = i == panel->place,
                                 .words = panel->places[i].words,
                                 .detail = ""},
                      box_take_top(&area, ROW));
}

void glossary_panel_draw(const Canvas *canvas, const GlossaryPanel *panel) {
    Box inner = sheet_draw(canvas, WIDTH, HEIGHT);
    sheet_title(canvas, &inner, canvas_string(canvas, "glossary.title"),
                canvas_string(canvas, "glossary.keys"), panel->close);
    Box list = box_take_left(&inner, LIST_WIDTH);
    box_take_left(&inner, GAP);
    draw_search(canvas, &panel->search, box_take_top(&list, FIELD));
    box_take_top(&list, PAD);
    draw_list(canvas, panel, list);
    if (panel->count)
        draw_entry(canvas, panel, inner);
}
