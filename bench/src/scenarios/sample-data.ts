import type { Api } from '../contenders/api.ts';

/** The payload of Records: about 250 bytes of JSON text, as of a customer in a register. */
export function samplePayload(visits = 0): object {
  return {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    address: { street: '12 St James’s Square', city: 'London', postcode: 'SW1Y 4JH' },
    tags: ['customer', 'newsletter', 'early adopter'],
    visits,
    note: 'Prefers to be called in the afternoon; asked for the price list in October.',
  };
}

/** A new Collection that Members may write to. */
export async function newCollection(api: Api): Promise<string> {
  const { collection } = await api.call<{ collection: { id: string } }>('record_store.create_collection', {
    name: `bench ${crypto.randomUUID()}`,
    member_writes_enabled: true,
  });
  return collection.id;
}

/** Names a Record as operations do. */
export interface RecordReference {
  readonly collection_id: string;
  readonly record_id: string;
}

/** A new Record. */
export async function newRecord(
  api: Api,
  collection_id: string,
  payload = samplePayload(),
): Promise<RecordReference> {
  const { record } = await api.call<{ record: { id: string } }>('record_store.push_record', {
    collection_id,
    payload,
  });
  return { collection_id, record_id: record.id };
}

/** Many Records in a Collection of their own. */
export async function newRecords(api: Api, count: number): Promise<RecordReference[]> {
  const collection = await newCollection(api);
  const records: RecordReference[] = [];
  while (records.length < count) {
    const wave = Array.from({ length: Math.min(20, count - records.length) }, () =>
      newRecord(api, collection),
    );
    records.push(...(await Promise.all(wave)));
  }
  return records;
}
