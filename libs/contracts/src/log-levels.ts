/** How important a line of the log is, the most important first; `silent` writes none. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
