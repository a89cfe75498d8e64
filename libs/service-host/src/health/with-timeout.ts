/** A dependency that does not answer in this time counts as missing, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** The result of some work; `fallback` when the work fails or exceeds the timeout. The work itself continues. */
export async function withTimeout<Value>(
  work: Promise<Value>,
  fallback: Value,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  const late = Promise.withResolvers<Value>();
  const timer = setTimeout(late.resolve, timeoutMs, fallback);
  try {
    return await Promise.race([work.catch(() => fallback), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
