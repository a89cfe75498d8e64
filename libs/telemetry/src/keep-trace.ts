/** Set on the span of a request whose whole trace is worth keeping although nothing failed. */
export const KEEP_TRACE = 'trace.keep';
