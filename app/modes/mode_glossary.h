/* The glossary: a term is searched for, chosen, and gone from to where it is at work. */
#ifndef APP_MODE_GLOSSARY_H
#define APP_MODE_GLOSSARY_H

#include "session/session.h"

/* Opens the glossary at a term. */
void glossary_enter(Session *session, size_t term);

#endif
