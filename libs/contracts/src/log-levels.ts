/** The levels of log lines, the most important first; `silent` writes none. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
