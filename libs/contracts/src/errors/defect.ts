const defects = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Whether an error is a defect of our code, and no failure of a server or a file. `fetch` throws a TypeError with a cause when a
 * connection fails (Fetch, section 5.6); of an error with a cause the cause decides.
 */
export function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error.cause !== undefined) return isDefect(error.cause);
  return defects.some((defect) => error instanceof defect);
}

/** The level at which the log has a failure after which work goes on: a defect is an error, as no repetition mends it. */
export function failureLevel(error: unknown): 'error' | 'warn' {
  return isDefect(error) ? 'error' : 'warn';
}

/** Handles the failure of work that nobody waits for: the log has a defect, any other failure is expected. */
export function reportDefect(
  log: { error(fields: object, message: string): void },
  message: string,
  ids: object = {},
): (error: unknown) => void {
  return (err) => {
    if (isDefect(err)) log.error({ err, ...ids }, message);
  };
}
