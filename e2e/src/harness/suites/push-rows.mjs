// As docs/clients/import-rows.mjs, but with a call for each row.

import { createInterface } from 'node:readline';
import { resultOf } from '../../../../docs/clients/call-operation.mjs';

const [collection_id = ''] = process.argv.slice(2);

for await (const line of createInterface(process.stdin)) {
  const payload = JSON.parse(line);
  await resultOf('record_store.push_record', {
    collection_id,
    payload,
    idempotency_key: `row-${payload.id}`,
  });
  process.stdout.write(`${payload.id} made\n`);
}
