// Pushes Records with retries: nothing but JavaScript's fetch.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-records.mjs <collection id> <how many>

import { resultOf } from './call-operation.mjs';
import { pushMany } from './repeat.mjs';

// The key names the Record, so that it exists once however often its push is repeated.
await pushMany(async (collection_id, number) => {
  const body = { collection_id, payload: { number }, idempotency_key: `row-${number}` };
  return (await resultOf('record_store.push_record', body)).record.id;
});
