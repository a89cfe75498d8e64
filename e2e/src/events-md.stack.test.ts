import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer } from '@action-platform/testing';
import { afterAll, expect, test } from '@jest/globals';
import { commandOf, samplesOf } from './docs-samples.ts';
import { execute } from './http.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
});

test.each(['sh', 'js', 'python'])('the sample of docs/events.md in %s shows a push', async (language) => {
  const { base_url: base, owner } = await stack.workspace();
  const call = async (operation: string, input: object) =>
    (await execute(base, owner.token, operation, input)).json.result;
  const { collection } = await call('record_store.create_collection', { name: 'followed' });
  const push = { collection_id: collection.id, payload: {} };
  const proxy = await startBalancer([base]);
  const [sample] = samplesOf('docs/events.md', language);
  const env = { PATH: process.env.PATH, BASE: proxy.url, TOKEN: owner.token };
  const child = spawn(...commandOf(language, sample!), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (shown += text));
  const pushUntilShown = async () => {
    const pushed: string[] = [];
    // The sample begins at the end of the feed, some time after its process.
    while (!pushed.some((id) => shown.includes(id))) {
      if (child.exitCode !== null) throw new Error(shown);
      pushed.push((await call('record_store.push_record', push)).record.id);
      await delay(100);
    }
  };
  await pushUntilShown();
  expect(shown).toContain('record.pushed');
  if (language !== 'sh') {
    proxy.cut();
    await pushUntilShown();
  }
  child.kill();
  await proxy.close();
});
