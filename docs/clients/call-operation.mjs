import { untilAnswered } from './repeat.mjs';

// With a routine grant, RUN names the run that the calls belong to: by default that of the day (UTC).
const { BASE_URL, TOKEN, RUN = new Date().toISOString().slice(0, 10) } = process.env;
if (!BASE_URL || !TOKEN) stop('Set BASE_URL and TOKEN, as README.md beside this file shows.');

/**
 * Runs an operation, and repeats what may be repeated. Resolves with its result, or with the error of a refusal.
 *
 * @param {string} operation
 * @param {object} body
 * @param {(text: string) => any} [parse] reads the answer
 */
export async function call(operation, body, parse = JSON.parse) {
  const { response, result, error } = await untilAnswered(async () => {
    const response = await fetch(`${BASE_URL}/api/v1/operations/${operation}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Content-Type': 'application/json',
        'x-routine-invocation-id': RUN,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    // The body of a 5xx may be the page of a proxy.
    return response.status < 500 ? { response, ...parse(await response.text()) } : { response };
  });
  return { result, error, isReplayed: response.headers.has('Idempotent-Replayed') };
}

/**
 * Runs an operation and resolves with its result; a refusal ends the program.
 *
 * @param {string} operation
 * @param {object} body
 * @param {(text: string) => any} [parse] reads the answer
 */
export async function resultOf(operation, body, parse) {
  const { result, error } = await call(operation, body, parse);
  return error === undefined ? result : refused(error);
}

/**
 * Ends the program with a refusal and the next step.
 *
 * @param {{ code: string, message: string, next: string }} error
 * @returns {never}
 */
export function refused({ code, message, next }) {
  return stop(`${code}: ${message} ${next}`);
}

/** Ends the program with a message. @param {string} message @returns {never} */
export function stop(message) {
  console.error(message);
  process.exit(1);
}
