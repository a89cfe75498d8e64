import { setTimeout as sleep } from 'node:timers/promises';

const { BASE_URL, TOKEN } = process.env;
const ATTEMPTS = 60;

/** How often a call was repeated, by reason. @type {Record<string, number>} */
export const repeated = {};

/**
 * Runs an operation, and repeats what may be repeated. Resolves with its result, or with the error of a refusal.
 *
 * @param {string} operation
 * @param {object} body
 */
export async function call(operation, body) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let wait = Math.min(50 * 2 ** attempt, 1000);
    try {
      const response = await fetch(`${BASE_URL}/api/v1/operations/${operation}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      });
      const { result, error } = /** @type {any} */ (await response.json());
      if (response.status !== 502 && response.status !== 503)
        return { result, error, isReplayed: response.headers.has('Idempotent-Replayed') };
      count(String(response.status));
      wait = Number(response.headers.get('Retry-After') ?? wait / 1000) * 1000;
    } catch (failure) {
      // Whether the call was carried out is not known. With the same key it is safe to make it again.
      if (!(failure instanceof TypeError || failure instanceof DOMException)) throw failure;
      count(String(/** @type {NodeJS.ErrnoException | undefined} */ (failure.cause)?.code ?? failure.name));
    }
    await sleep(wait);
  }
  throw new Error(`${operation}: no answer after ${ATTEMPTS} attempts`);
}

/**
 * Runs an operation that must not be refused.
 *
 * @param {string} operation
 * @param {object} body
 */
export async function resultOf(operation, body) {
  const { result, error } = await call(operation, body);
  if (error !== undefined) throw new Error(`${error.code}: ${error.message} ${error.next}`);
  return result;
}

/** @param {string} reason */
function count(reason) {
  repeated[reason] = (repeated[reason] ?? 0) + 1;
}
