#ifndef BUS_ERROR_H
#define BUS_ERROR_H

#include <signal.h>

// Ends the process with the sentence of `cterminal_explain_bus_errors` if that is what the signal is about.
void end_by_bus_error(int number, const siginfo_t *info);

#endif
