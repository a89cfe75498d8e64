import { readFileSync } from 'node:fs';
import { localDirectory } from '@action-platform/local';
import { namesIn, queries } from '@action-platform/observability';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';
import { execute } from './stack-process.ts';

let stack: SharedStack;
beforeAll(async () => {
  stack = await SharedStack.join();
});
afterAll(() => stack.leave());

/** Series that appear with their first measurement, which an ordinary run may not make. */
const RARE = ['call_queue_duration_bucket', 'stream_lost_total'];
/** Series of Prometheus itself, of exporters of others, and of a bus with TLS, which the local stack has not. */
const OWN = /^(up$|platform:|kubelet_|node_|probe_|tls_authority_valid$)/;

test('the processes export all series that rules and dashboards use', async () => {
  const { owner, base_url } = await stack.workspace();
  const call = (operation: string, input: object) => execute(base_url, owner.token, operation, input);
  const { body } = await call('record_store.create_collection', { name: 'n', member_writes_enabled: true });
  const { id } = (body as { result: { collection: { id: string } } }).result.collection;
  await call('record_store.push_record', { collection_id: id, payload: {}, idempotency_key: 'k' });
  await call('mail.send_email', { to: ['a@b.org'], subject: 's', body: 'b', idempotency_key: 'k' });

  const { metricsTargets } = localDirectory({ LOCAL_DIR: stack.directory });
  const processes = JSON.parse(readFileSync(metricsTargets, 'utf8')) as {
    targets: [string];
    labels: { service: string };
  }[];
  const texts = await Promise.all(
    processes.map(async ({ targets }) => (await fetch(`http://${targets[0]}/metrics`)).text()),
  );
  const exported = new Set(texts.flatMap((text) => text.match(/^[a-z]\w*/gm) ?? []));
  const asked = new Set(queries.flatMap((query) => namesIn(query).series));
  const missing = [...asked].filter((name) => !exported.has(name) && !OWN.test(name));
  expect(missing.filter((name) => !RARE.includes(name))).toEqual([]);
});
