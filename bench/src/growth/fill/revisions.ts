import { deepStrictEqual } from 'node:assert/strict';
import { newCollection, newRecord, type RecordReference } from '../../scenarios/sample-data.ts';
import type { Side } from '../side.ts';
import { multiply, storedOne } from './multiply.ts';
import { addStoredBytes, SMALL_PAYLOAD } from './records.ts';

interface History {
  readonly revisions: readonly { readonly version: number; readonly payload: object }[];
}

/** Makes Records that have so many revisions each. The first two are made by the platform, the others after the first. */
export async function recordsWithRevisions(
  side: Side,
  count: number,
  revisions: number,
): Promise<RecordReference[]> {
  const { api, stored } = side;
  const [heads, past] = [stored('record-store', 'records'), stored('record-store', 'revisions')];
  const collection = await newCollection(api);
  const records: RecordReference[] = [];
  for (let made = 0; made < count; made++) {
    const record = await newRecord(api, collection, SMALL_PAYLOAD);
    await api.call('record_store.replace_record', { ...record, payload: SMALL_PAYLOAD });
    records.push(record);
  }
  const ids = records.map(({ record_id }) => record_id);
  const { _id, ...template } = await storedOne(past, { record_id: ids[0] });
  const more = revisions - 2;
  await multiply(past, count * more, template, (index) => ({
    record_id: ids[Math.floor(index / more)],
    version: 2 + (index % more),
    write_id: crypto.randomUUID(),
  }));
  const bytes = more * template.bytes;
  await heads.updateMany({ _id: { $in: ids as never[] } }, { $inc: { version: more, stored_bytes: bytes } });
  await addStoredBytes(side, count * bytes);

  const { revisions: found } = await api.call<History>('record_store.get_record_history', records.at(-1)!);
  const expected = Array.from({ length: revisions }, (_, index) => [index + 1, SMALL_PAYLOAD]);
  deepStrictEqual(
    found.map(({ version, payload }) => [version, payload]),
    expected,
  );
  return records;
}
