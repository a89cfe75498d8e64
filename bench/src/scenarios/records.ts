import { newCollection, newRecord, newRecords, samplePayload } from './sample-data.ts';
import { callOf, type Scenario } from './scenario.ts';

/** So many that concurrent clients seldom use the same Record. */
const RECORDS = 1_000;
const REVISIONS = 100;

/** The common calls on Records. */
export const recordScenarios: readonly Scenario[] = [
  {
    name: 'push',
    description: 'Push a Record.',
    prepare: async (api) => [
      callOf('record_store.push_record', [
        { collection_id: await newCollection(api), payload: samplePayload() },
      ]),
    ],
  },
  {
    name: 'keyed-push',
    description: 'Push a Record with an idempotency key, a new one each time.',
    prepare: async (api) => [
      callOf('record_store.push_record', [
        { collection_id: await newCollection(api), payload: samplePayload(), idempotency_key: '$unique' },
      ]),
    ],
  },
  {
    name: 'replace',
    description: `Replace the payload of one of ${RECORDS} Records; its history grows.`,
    prepare: async (api) => [
      callOf(
        'record_store.replace_record',
        (await newRecords(api, RECORDS)).map((record, visits) => ({
          ...record,
          payload: samplePayload(visits),
        })),
      ),
    ],
  },
  {
    name: 'get',
    description: `Get one of ${RECORDS} Records.`,
    prepare: async (api) => [callOf('record_store.get_record', await newRecords(api, RECORDS))],
  },
  {
    name: 'history',
    description: `Get the ${REVISIONS} revisions of a Record.`,
    prepare: async (api) => {
      const record = await newRecord(api, await newCollection(api));
      for (let visits = 1; visits < REVISIONS; visits++) {
        await api.call('record_store.replace_record', { ...record, payload: samplePayload(visits) });
      }
      return [callOf('record_store.get_record_history', [record])];
    },
  },
  {
    name: 'list',
    description: `List the first 50 of ${RECORDS} Records.`,
    prepare: async (api) => {
      const [first] = await newRecords(api, RECORDS);
      return [callOf('record_store.list_records', [{ collection_id: first!.collection_id }])];
    },
  },
  {
    name: 'mix',
    description: `Seven gets of one of ${RECORDS} Records to three pushes.`,
    prepare: async (api) => {
      const records = await newRecords(api, RECORDS);
      const { collection_id } = records[0]!;
      return [
        callOf('record_store.get_record', records, 7),
        callOf('record_store.push_record', [{ collection_id, payload: samplePayload() }], 3),
      ];
    },
  },
];
