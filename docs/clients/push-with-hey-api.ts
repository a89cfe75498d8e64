// Pushes Records with a client made by @hey-api/openapi-ts, see README.md.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-with-hey-api.ts <collection id> <how many>

import { client } from './platform/client.gen.ts';
import { recordStorePushRecord } from './platform/sdk.gen.ts';
import { pushMany } from './push-many.ts';

const { BASE_URL, TOKEN } = process.env;
client.setConfig({ baseUrl: BASE_URL ?? '', auth: () => TOKEN });

await pushMany(async (collection_id, number) => {
  const { data, error, response } = await recordStorePushRecord({
    body: { collection_id, payload: { number }, idempotency_key: `row-${number}` },
  });
  if (response === undefined) throw error;
  return { id: data?.result.record.id, refusal: error?.error, response };
});
