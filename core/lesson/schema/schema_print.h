/* Schemas printed: for editors as JSON Schema, for people as the lesson format's
 * reference. Both come from the rows that lessons are read by (schema.h). */
#ifndef LESSON_SCHEMA_PRINT_H
#define LESSON_SCHEMA_PRINT_H

#include "base/strings/writer.h"
#include "lesson/schema/schema.h"

/* A JSON Schema of the schema and all within it. It knows kinds, limits and which keys go
 * together; what numbers, names and expressions say is for the reader alone.
 * Source: JSON Schema, draft 7, which editors' YAML servers speak. */
void schema_print_json(const Schema *schema, Writer *writer);

/* Markdown: a heading, a sentence and a table for the schema and each within it. */
void schema_print_reference(const Schema *schema, Writer *writer);

#endif
