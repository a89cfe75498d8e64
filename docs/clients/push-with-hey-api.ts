// Pushes Records with a client made by @hey-api/openapi-ts, see README.md.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-with-hey-api.ts <collection id> <how many>

import { client } from './platform/client.gen.ts';
import { recordStorePushRecord } from './platform/sdk.gen.ts';
import { pushMany, untilAnswered } from './repeat.mjs';

// With a routine grant, RUN names the run that the calls belong to: by default that of the day (UTC).
const { BASE_URL, TOKEN, RUN = new Date().toISOString().slice(0, 10) } = process.env;
client.setConfig({
  baseUrl: BASE_URL ?? '',
  auth: () => TOKEN,
  headers: { 'x-routine-invocation-id': RUN },
});

await pushMany(async (collection_id, number) => {
  const body = { collection_id, payload: { number }, idempotency_key: `row-${number}` };
  const { data, error } = await untilAnswered(async () => {
    const { response, ...answer } = await recordStorePushRecord({ body });
    if (response === undefined) throw answer.error;
    return { response, ...answer };
  });
  if (data === undefined) throw new Error(`${error.error.message} ${error.error.next}`);
  return data.result.record.id;
});
