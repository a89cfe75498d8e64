import { type Api, operationPath, type RecordReference } from './contenders/api.ts';
import type { Contender } from './contenders/contender.ts';
import type { Requests } from './load/load.ts';

interface Scenario {
  /** Whether the peers serve it, too. */
  readonly isCommon?: boolean;
  /** Creates the data of the calls and returns the requests. */
  prepare(contender: Contender): Promise<readonly Requests[]>;
}

/** So many that concurrent clients seldom use the same Record. */
export const RECORDS = 1_000;
const REVISIONS = 100;
const WORKSPACES = 64;

/** The scenarios by name, in the order in which they are run. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  push: {
    isCommon: true,
    prepare: async (contender) => [await pushes(await contender.workspace())],
  },
  'keyed-push': {
    isCommon: true,
    prepare: async (contender) => [await pushes(await contender.workspace(), { idempotency_key: '$unique' })],
  },
  'workspaces-push': {
    isCommon: true,
    prepare: async (contender) => {
      const each = [];
      for (let made = 0; made < WORKSPACES; made++) each.push(await pushes(await contender.workspace()));
      return each;
    },
  },
  get: {
    isCommon: true,
    prepare: async (contender) => {
      const api = await contender.workspace();
      return [callOf(api, 'record_store.get_record', await newRecords(api, RECORDS))];
    },
  },
  replace: {
    prepare: async (contender) => {
      const api = await contender.workspace();
      const records = await newRecords(api, RECORDS);
      const replaces = records.map((record, visits) => ({ ...record, payload: samplePayload(visits) }));
      return [callOf(api, 'record_store.replace_record', replaces)];
    },
  },
  list: {
    prepare: async (contender) => {
      const api = await contender.workspace();
      const [first] = await newRecords(api, RECORDS);
      return [callOf(api, 'record_store.list_records', [{ collection_id: first!.collection_id }])];
    },
  },
  history: {
    prepare: async (contender) => {
      const api = await contender.workspace();
      const record = await api.newRecord(samplePayload());
      for (let visits = 1; visits < REVISIONS; visits++) {
        await api.call('record_store.replace_record', { ...record, payload: samplePayload(visits) });
      }
      return [callOf(api, 'record_store.get_record_history', [record])];
    },
  },
  discovery: {
    prepare: async (contender) => [discovery([(await contender.workspace()).token])],
  },
};

/** The payload of Records: about 250 bytes of JSON text, as of a customer in a register. */
export function samplePayload(visits = 0): object {
  return {
    name: 'Demo Person.',
    email: 'ada@example.com',
    address: { street: '12 St James’s Square', city: 'London', postcode: 'SW1Y 4JH' },
    tags: ['customer', 'newsletter', 'early adopter'],
    visits,
    note: 'Prefers to be called in the afternoon; asked for the price list in October.',
  };
}

/** Creates Records in a Collection of their own. */
export async function newRecords(api: Api, count: number): Promise<RecordReference[]> {
  const collection = await api.newCollection();
  const records: RecordReference[] = [];
  while (records.length < count) {
    const wave = Array.from({ length: Math.min(20, count - records.length) }, () =>
      api.newRecord(samplePayload(), collection),
    );
    records.push(...(await Promise.all(wave)));
  }
  return records;
}

/** A call of an operation with one of these inputs, by a Member or by the holders of one token for each input. */
export function callOf(
  by: Api | readonly string[],
  operation: string,
  inputs: readonly object[],
  weight = 1,
): Requests {
  return {
    weight,
    method: 'POST',
    path: operationPath(operation),
    bodies: inputs.map((input) => JSON.stringify(input)),
    tokens: 'token' in by ? [by.token] : by,
  };
}

/** Discovery by one of these callers. */
export function discovery(tokens: readonly string[]): Requests {
  return { method: 'GET', path: '/api/v1/operations', bodies: tokens.map(() => ''), tokens };
}

async function pushes(api: Api, key: object = {}): Promise<Requests> {
  const push = { collection_id: await api.newCollection(), payload: samplePayload(), ...key };
  return callOf(api, 'record_store.push_record', [push]);
}
