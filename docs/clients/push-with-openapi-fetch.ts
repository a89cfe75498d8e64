// Pushes Records with a client made by openapi-typescript and openapi-fetch.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node push-with-openapi-fetch.ts <collection id> <how many>

import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';
import { pushMany } from './push-many.ts';

const { BASE_URL, TOKEN } = process.env;
const client = createClient<paths>({
  baseUrl: BASE_URL ?? '',
  headers: { Authorization: `Bearer ${TOKEN}` },
});

await pushMany(async (collection_id, number) => {
  const { data, error, response } = await client.POST('/api/v1/operations/record_store.push_record', {
    body: { collection_id, payload: { number }, idempotency_key: `row-${number}` },
  });
  return { id: data?.result.record.id, refusal: error?.error, response };
});
