/** How long a dependency may take to answer before it counts as missing, in milliseconds. */
const PATIENCE_MS = 3_000;

/** The result of some work; `otherwise` when it fails or takes long. The work itself continues. */
export async function soon<Value>(
  work: Promise<Value>,
  otherwise: Value,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const late = Promise.withResolvers<Value>();
  const timer = setTimeout(late.resolve, patienceMs, otherwise);
  try {
    return await Promise.race([work.catch(() => otherwise), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
