/** The attribute of a request's span whose trace is kept although it did not fail. */
export const KEEP_TRACE = 'trace.keep';
