// Brings the Records of a Collection up to date from rows, each a line of JSON with an "id": run it every night.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node import-rows.mjs <collection id or name> < rows.ndjson
//
// TOKEN is a session token or the secret of a routine grant, whose run RUN names, by default the day. After a kill, start it again.

import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { refused, resultOf } from './call-operation.mjs';

const [collection_id = ''] = process.argv.slice(2);

/** The most rows of a call, and the most characters: the body of a call has at most 2 MiB. */
const MOST = { rows: 100, characters: 500_000 };

/**
 * Makes the Records of rows, or brings them up to date. The keys of the rows are all that it needs to know of them.
 *
 * @param {{ id: string }[]} rows
 */
async function keep(rows) {
  const items = rows.map((row) => ({ payload: row, idempotency_key: `row-${row.id}` }));
  const { outcomes } = await resultOf('record_store.push_records', { collection_id, items });
  /** The Records that earlier runs pushed, by the place of the row. @type {Map<number, string>} */
  const earlier = new Map();
  for (const [place, { record, replayed, error, record_id }] of outcomes.entries()) {
    if (error !== undefined && error.code !== 'record_store_idempotency_conflict') refused(error);
    // A replay tells of the first push, so what the Record holds now is read in both cases.
    if (error !== undefined || replayed) earlier.set(place, record_id ?? record.id);
  }
  const records = await read([...new Set(earlier.values())]);
  for (const [place, row] of rows.entries()) {
    const record = records.get(earlier.get(place) ?? '');
    console.log(row.id, record === undefined ? 'made' : await replace(record, row));
  }
}

/**
 * Gives a Record the row as its payload, unless it has it.
 *
 * @param {{ id: string, version: number, payload: object }} record
 * @param {object} row
 */
async function replace(record, row) {
  if (isDeepStrictEqual(record.payload, row)) return 'kept';
  const change = { collection_id, record_id: record.id, payload: row, expected_version: record.version };
  await resultOf('record_store.replace_record', change);
  return 'replaced';
}

/**
 * Reads Records, by id.
 *
 * @param {string[]} record_ids
 */
async function read(record_ids) {
  const records = new Map();
  for (let rest = record_ids; rest.length > 0; ) {
    const page = await resultOf('record_store.get_records', { collection_id, record_ids: rest });
    for (const record of page.records) records.set(record.id, record);
    rest = page.next;
  }
  return records;
}

/** @type {{ id: string }[]} */
let rows = [];
let characters = 0;
for await (const line of createInterface(process.stdin)) {
  if (rows.length === MOST.rows || characters + line.length > MOST.characters) {
    await keep(rows);
    [rows, characters] = [[], 0];
  }
  rows.push(JSON.parse(line));
  characters += line.length;
}
if (rows.length > 0) await keep(rows);
