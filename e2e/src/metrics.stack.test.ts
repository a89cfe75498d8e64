import { readFileSync } from 'node:fs';
import { localDirectory } from '@action-platform/local';
import { namesIn, queries } from '@action-platform/observability';
import { execute } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { push } from './push.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

/** Series that appear with their first measurement, which an ordinary run may not make. */
const RARE = ['call_queue_duration_bucket', 'stream_lost_total'];
/** Series of Prometheus itself, of exporters of others, and of a bus with TLS, which the local stack has not. */
const OWN = /^(up$|platform:|kubelet_|node_|probe_|tls_authority_valid$)/;

test('the processes export all series that rules and dashboards use', async () => {
  const { owner, base_url } = await stack.workspace();
  await push({ base_url, owner });
  await execute(base_url, owner.token, 'mail.send_email', { to: ['a@b.org'], subject: 's', body: 'b' });

  const { metricsTargets } = localDirectory({ LOCAL_DIR: stack.directory });
  const processes = JSON.parse(readFileSync(metricsTargets, 'utf8')) as { targets: [string] }[];
  const texts = await Promise.all(
    processes.map(async ({ targets }) => (await fetch(`http://${targets[0]}/metrics`)).text()),
  );
  const exported = new Set(texts.flatMap((text) => text.match(/^[a-z]\w*/gm) ?? []));
  // No dashboard shows the calls of Workspaces, whose gauge the SDK does not collect itself.
  const asked = new Set([...queries.flatMap((query) => namesIn(query).series), 'workspace_calls']);
  const missing = [...asked].filter((name) => !exported.has(name) && !OWN.test(name));
  expect(missing.filter((name) => !RARE.includes(name))).toEqual([]);
});
