import type { Api } from '../../contenders/api.ts';
import type { RequestTemplate } from '../../load/load.ts';
import { newRecords, samplePayload } from '../../scenarios/sample-data.ts';
import { callOf } from '../../scenarios/scenario.ts';

const RECORDS = 200;
const PAGE = 20;

/** A typical mix of calls: four gets, three pushes, a listing and two discoveries. */
export async function ordinaryCalls(api: Api): Promise<readonly RequestTemplate[]> {
  const records = await newRecords(api, RECORDS);
  const { collection_id } = records[0]!;
  return [
    callOf('record_store.get_record', records, 4),
    callOf('record_store.push_record', [{ collection_id, payload: samplePayload() }], 3),
    callOf('record_store.list_records', [{ collection_id, limit: PAGE }], 1),
    { weight: 2, method: 'GET', path: '/api/v1/operations', bodies: [''] },
  ];
}
