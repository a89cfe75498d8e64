// Pushes Records with retries: nothing but JavaScript's fetch.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-records.mjs <collection id> <how many>

import { repeated, resultOf } from './call-operation.mjs';

/**
 * Pushes one Record under a key that names it, so that it exists once however often this is repeated.
 *
 * @param {string} collection
 * @param {number} number
 */
async function push(collection, number) {
  const body = { collection_id: collection, payload: { number }, idempotency_key: `row-${number}` };
  return (await resultOf('record_store.push_record', body)).record.id;
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
