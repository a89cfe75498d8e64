// Brings the Records of a Collection up to date from rows, each a line of JSON with an "id": run it every night.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node import-rows.mjs <collection id or name> < rows.ndjson
//
// TOKEN is a session token or the secret of a routine grant, whose run RUN names, by default the day. After a kill, start it again.
// Needs Node.js 22 or newer, which keeps the text of numbers: `1.00` stays, and so do ids of many digits.

import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { refused, resultOf, stop } from './call-operation.mjs';

const [collection_id = ''] = process.argv.slice(2);

/** The most rows of a call, and the most characters: the body of a call has at most 2 MiB. */
const MOST = { rows: 100, characters: 500_000 };

const { rawJSON, isRawJSON } = /** @type {any} */ (JSON);

/**
 * Reads JSON with the text of its numbers, in objects that `JSON.stringify` writes as that text.
 *
 * @param {string} text
 */
const exact = (text) =>
  JSON.parse(text, (_name, value, /** @type {any} */ { source } = {}) =>
    typeof value === 'number' ? rawJSON(source) : value,
  );

/**
 * The id of a row as text. Other ids than texts and numbers end the program: rows without an id would share a key.
 *
 * @param {Row} row
 */
function idOf(row) {
  const id = row?.id;
  if (typeof id === 'string') return id;
  return isRawJSON(id) ? JSON.stringify(id) : stop('The "id" of each row must be a string or a number.');
}

/** A row of the import. @typedef {{ id: unknown }} Row */
/** @typedef {{ id: string, version: unknown, state: string, payload: object }} Record */

/** The refusals of a push whose key an earlier run has used, for another payload or for a Record that was deleted. */
const USED = ['record_store_idempotency_conflict', 'record_store_record_not_found'];

/**
 * Makes the Records of rows, or brings them up to date. The keys of the rows are all that it needs to know of them.
 *
 * @param {Row[]} rows with distinct ids
 */
async function keep(rows) {
  const items = rows.map((row) => ({ payload: row, idempotency_key: `row-${idOf(row)}` }));
  const outcomes = await push(items);
  /** The Records that earlier runs pushed, by the place of the row. @type {Map<number, string>} */
  const earlier = new Map();
  for (const [place, { record, replayed, error, record_id }] of outcomes.entries()) {
    if (error !== undefined && !USED.includes(error.code)) refused(error);
    // A replay tells of the first push, so what the Record holds now is read in both cases.
    if (error !== undefined || replayed) earlier.set(place, record_id ?? record?.id);
  }
  const records = await read([...new Set(earlier.values())].filter((id) => id !== undefined));
  for (const [place, row] of rows.entries()) {
    const outcome = earlier.has(place) ? await update(records.get(earlier.get(place) ?? ''), row) : 'made';
    console.log(idOf(row), outcome);
  }
}

/** How often items are pushed for which the platform had no time. */
const ATTEMPTS = 60;

/**
 * Pushes items, and those again for which the platform had no time: their keys make that safe.
 *
 * @param {object[]} items
 */
async function push(items) {
  /** @type {any[]} */
  const outcomes = [];
  let open = [...items.keys()];
  for (let attempt = 1; open.length > 0 && attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await sleep(1000);
    const pushed = { collection_id, items: open.map((place) => items[place]) };
    const result = await resultOf('record_store.push_records', pushed);
    for (const [index, place] of open.entries()) outcomes[place] = result.outcomes[index];
    open = open.filter((place) => outcomes[place].error?.code === 'action_platform_unavailable');
  }
  return outcomes;
}

/**
 * Gives the Record of an earlier run the row as its payload, unless it has it. A Record that somebody has archived or deleted stays so.
 *
 * @param {Record | undefined} record
 * @param {Row} row
 */
async function update(record, row) {
  if (record === undefined) return 'deleted';
  if (record.state === 'archived') return 'archived';
  if (isDeepStrictEqual(record.payload, row)) return 'kept';
  const { id: record_id, version: expected_version } = record;
  // A repetition after a lost answer gets the first outcome by the key, where the version alone would refuse it.
  const idempotency_key = `${record_id}/${JSON.stringify(expected_version)}`;
  const change = { collection_id, record_id, payload: row, expected_version, idempotency_key };
  await resultOf('record_store.replace_record', change);
  return 'replaced';
}

/**
 * Reads Records, by id.
 *
 * @param {string[]} record_ids
 */
async function read(record_ids) {
  /** @type {Map<string, Record>} */
  const records = new Map();
  for (let rest = record_ids; rest.length > 0; ) {
    const page = await resultOf('record_store.get_records', { collection_id, record_ids: rest }, exact);
    for (const record of page.records) records.set(record.id, record);
    rest = page.next;
  }
  return records;
}

/** The rows of the next call, by their ids: the last row of an id counts. @type {Map<string, Row>} */
const rows = new Map();
let characters = 0;
/** The types of the ids that are the text of a number: 1 and "1" would share a key. */
const types = new Set();
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
for await (const line of createInterface(process.stdin)) {
  if (rows.size === MOST.rows || characters + line.length > MOST.characters) {
    await keep([...rows.values()]);
    rows.clear();
    characters = 0;
  }
  const row = exact(line);
  const id = idOf(row);
  if (NUMBER.test(id)) types.add(typeof row.id);
  if (types.size > 1) stop('The ids of rows must not be both numbers and the same as strings.');
  rows.set(id, row);
  characters += line.length;
}
if (rows.size > 0) await keep([...rows.values()]);
