// Brings the Records of a Collection up to date from rows, each a line of JSON with an "id": run it every night.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node import-rows.mjs <collection id> < rows.ndjson
//
// TOKEN is a session token or the secret of a routine grant, whose run RUN names, by default the day. After a kill, start it again.

import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { call, refused, resultOf } from './call-operation.mjs';

const [collection_id = ''] = process.argv.slice(2);

/**
 * Makes the Record of a row, or brings it up to date. The key of the row is all that it needs to know of it.
 *
 * @param {{ id: string }} row
 */
async function keep(row) {
  const push = { collection_id, payload: row, idempotency_key: `row-${row.id}` };
  const { result, error, isReplayed } = await call('record_store.push_record', push);
  if (error === undefined && !isReplayed) return 'made';
  // A replay has the payload of the first push, so what the Record holds now is read in both cases.
  if (error !== undefined && error.code !== 'record_store_idempotency_conflict') refused(error);
  const record_id = result?.record.id ?? /\brec_\w+/.exec(error.message)?.[0];
  const { record } = await resultOf('record_store.get_record', { collection_id, record_id });
  if (isDeepStrictEqual(record.payload, row)) return 'kept';
  const change = { collection_id, record_id, payload: row, expected_version: record.version };
  await resultOf('record_store.replace_record', change);
  return 'replaced';
}

for await (const line of createInterface(process.stdin)) {
  const row = JSON.parse(line);
  console.log(row.id, await keep(row));
}
