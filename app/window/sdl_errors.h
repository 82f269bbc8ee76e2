/* SDL's errors.
 *
 * SDL keeps a thread's last error in memory that it takes when the first one occurs.
 * Where there is none, that is an error too, and so on until the stack ends: so it is
 * taken beforehand, and for that alone there is always some. */
#pragma once

/* Before a thread's first use of SDL; again does no harm. */
void sdl_errors_begin(void);

/* To be called after a thread's last use of SDL, unless SDL has started the thread. */
void sdl_errors_end(void);
