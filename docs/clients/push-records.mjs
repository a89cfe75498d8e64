// Pushes Records with retries: nothing but JavaScript's fetch.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-records.mjs <collection id> <how many>

import { setTimeout as sleep } from 'node:timers/promises';

const { BASE_URL, TOKEN } = process.env;
const ATTEMPTS = 60;

/** @type {Record<string, number>} */
const repeated = {};

/**
 * Runs an operation and returns its result; repeats what may be repeated, and throws what `next` says of the rest.
 *
 * @param {string} operation
 * @param {object} body
 */
async function call(operation, body) {
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
      if (response.ok) return result;
      if (response.status !== 502 && response.status !== 503)
        throw new Error(`${error.code}: ${error.message} ${error.next}`);
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

/** @param {string} reason */
function count(reason) {
  repeated[reason] = (repeated[reason] ?? 0) + 1;
}

/**
 * Pushes one Record under a key that names it, so that it exists once however often this is repeated.
 *
 * @param {string} collection
 * @param {number} number
 */
async function push(collection, number) {
  const body = { collection_id: collection, payload: { number }, idempotency_key: `row-${number}` };
  return (await call('record_store.push_record', body)).record.id;
}

const [collection = '', total = '0'] = process.argv.slice(2);
let begun = 0;
let done = 0;
async function work() {
  while (begun < Number(total)) {
    console.log(await push(collection, begun++));
    if (++done % 100 === 0) console.error(`${done} pushed`);
  }
}
await Promise.all(Array.from({ length: 8 }, work));
console.error(`repeated: ${JSON.stringify(repeated)}`);
