import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
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
  const env = { BASE_URL: proxy.url, TOKEN: owner.token };
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

test('the copy of docs/events.md has every Record from the first start, and what changes while it runs and while it is off', async () => {
  const { base_url: BASE_URL, owner } = await stack.workspace();
  const caller = new Caller(BASE_URL, owner.token);
  const change = async (operation: string, input: object) =>
    (await caller.execute(`record_store.${operation}`, input)) as { record: { id: string } };
  const { collection } = await caller.execute('record_store.create_collection', { name: 'copied' });
  const collection_id = collection.id;
  const push = async () => ({
    collection_id,
    record_id: (await change('push_record', { collection_id, payload: {} })).record.id,
  });
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  const COPY = join(folder, 'copy.json');
  const start = () => samples.start('docs/events.md', 'js', { BASE_URL, TOKEN: owner.token, COPY }, 1);
  /** Waits until the copy has what the record store has. */
  const untilCopied = async ([child, output]: ReturnType<typeof start>) => {
    const page = { collection_id, state: 'all', limit: 100 };
    const { records } = await caller.execute('record_store.list_records', page);
    const stored = Object.fromEntries(records.map((record: { id: string }) => [record.id, record]));
    const copied = () => existsSync(COPY) && JSON.parse(readFileSync(COPY, 'utf8') || '{}').records;
    while (!isDeepStrictEqual(copied(), stored)) {
      if (child.exitCode !== null) throw new Error(output());
      await delay(50);
    }
  };
  const [first, second, third] = [await push(), await push(), await push()];
  await change('archive_record', second);
  const copy = start();
  await untilCopied(copy);
  await change('patch_record', { ...first, patch: { changed: true } });
  await push();
  await untilCopied(copy);
  copy[0].kill();
  await change('archive_record', third);
  await caller.execute('record_store.delete_record', third);
  await push();
  await untilCopied(start());
  rmSync(folder, { recursive: true });
});
