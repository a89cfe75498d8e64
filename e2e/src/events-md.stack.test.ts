import { setTimeout as delay } from 'node:timers/promises';
import { startBalancer } from '@action-platform/testing';
import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { RunningSamples } from './running-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();
const samples = new RunningSamples();

test.each(['sh', 'js', 'python'])('the sample of docs/events.md in %s shows a push', async (language) => {
  const { base_url: base, owner } = await stack.workspace();
  const caller = new Caller(base, owner.token);
  const { collection } = await caller.execute('record_store.create_collection', { name: 'followed' });
  const push = { collection_id: collection.id, payload: {} };
  const proxy = await startBalancer([base]);
  const env = { BASE: proxy.url, TOKEN: owner.token };
  const [child, output] = samples.start('docs/events.md', language, env);
  const pushUntilShown = async () => {
    const pushed: string[] = [];
    // The sample begins at the end of the feed, some time after its process.
    while (!pushed.some((id) => output().includes(id))) {
      if (child.exitCode !== null) throw new Error(output());
      pushed.push((await caller.execute('record_store.push_record', push)).record.id);
      await delay(100);
    }
  };
  await pushUntilShown();
  expect(output()).toContain('record.pushed');
  if (language !== 'sh') {
    proxy.cut();
    await pushUntilShown();
  }
  child.kill();
  await proxy.close();
});
