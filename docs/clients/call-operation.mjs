import { untilAnswered } from './repeat.mjs';

const { BASE_URL, TOKEN } = process.env;

/**
 * Runs an operation, and repeats what may be repeated. Resolves with its result, or with the error of a refusal.
 *
 * @param {string} operation
 * @param {object} body
 */
export async function call(operation, body) {
  const { response, result, error } = await untilAnswered(async () => {
    const response = await fetch(`${BASE_URL}/api/v1/operations/${operation}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { response, .../** @type {any} */ (await response.json()) };
  });
  return { result, error, isReplayed: response.headers.has('Idempotent-Replayed') };
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
