import { deepStrictEqual } from 'node:assert/strict';
import type { RecordReference } from '../contenders/api.ts';
import { callOf } from '../scenarios.ts';
import { addStoredBytes, multiply, SMALL_PAYLOAD } from './multiply.ts';
import type { Side } from './pair.ts';
import type { GrowingCalls } from './scenario.ts';

const RECORDS = 64;
const PAGE = 50;
/** Fewer than Records, as concurrent replaces of one Record wait for each other; also for long answers. */
const FEW_CLIENTS = 8;

interface History {
  readonly revisions: readonly { readonly version: number; readonly payload: object }[];
}

/** Get, replace and history of Records with this number of revisions. The platform makes the first two of each. */
export async function callsOfHistory(side: Side, revisions: number): Promise<GrowingCalls> {
  const { api, stored } = side;
  const collection = await api.newCollection();
  const records: RecordReference[] = [];
  for (let made = 0; made < RECORDS; made++) {
    const record = await api.newRecord(SMALL_PAYLOAD, collection);
    await api.call('record_store.replace_record', { ...record, payload: SMALL_PAYLOAD });
    records.push(record);
  }
  const ids = records.map(({ record_id }) => record_id);
  const more = revisions - 2;
  const past = stored('record-store', 'revisions');
  const template = await multiply(past, { record_id: ids[0] }, RECORDS * more, (index) => ({
    record_id: ids[Math.floor(index / more)],
    version: 2 + (index % more),
    write_id: crypto.randomUUID(),
  }));
  const bytes = more * template.bytes;
  await stored('record-store', 'records').updateMany(
    { _id: { $in: ids as never[] } },
    { $inc: { version: more, stored_bytes: bytes } },
  );
  await addStoredBytes(side, RECORDS * bytes);
  const { revisions: found } = await api.call<History>('record_store.get_record_history', records.at(-1)!);
  deepStrictEqual(
    found.map(({ version, payload }) => [version, payload]),
    Array.from({ length: revisions }, (_, index) => [index + 1, SMALL_PAYLOAD]),
  );

  const historyOf = (more: (id: string) => object) =>
    callOf(
      api,
      'record_store.get_record_history',
      records.map((record) => ({ ...record, ...more(record.record_id) })),
    );
  const replaces = records.map((record) => ({ ...record, payload: SMALL_PAYLOAD }));
  const lastPage = (id: string) => ({
    limit: PAGE,
    cursor: side.platform.cursorAt(`history ${api.workspace} ${id}`, String(revisions - PAGE - 1)),
  });
  return {
    get: { requests: callOf(api, 'record_store.get_record', records) },
    replace: { requests: callOf(api, 'record_store.replace_record', replaces), clients: FEW_CLIENTS },
    'first page of the history': { requests: historyOf(() => ({ limit: PAGE })) },
    'last page of the history': { requests: historyOf(lastPage) },
    'whole history, for each revision': {
      requests: historyOf(() => ({})),
      clients: FEW_CLIENTS,
      perCall: revisions,
    },
  };
}
