/** The attribute of a request's span: whether its trace is kept although it did not fail, or not kept although it took long. */
export const KEEP_TRACE = 'trace.keep';
