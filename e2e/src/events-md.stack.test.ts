import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { breakableProxy } from './breakable-proxy.ts';
import { SharedStack } from './shared-stack.ts';
import { execute } from './stack-process.ts';

let stack: SharedStack;
const running: ChildProcess[] = [];
beforeAll(async () => {
  stack = await SharedStack.join();
});
afterAll(async () => {
  for (const child of running) child.kill();
  await stack.leave();
});

const page = readFileSync('docs/events.md', 'utf8');
const sample = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)![1]!;
const samples: Readonly<Record<string, [program: string, ...args: string[]]>> = {
  // The shell becomes the program, so that the test can end it.
  sh: ['sh', '-c', `exec ${sample('sh')}`],
  js: [process.execPath, '--input-type=module', '--eval', sample('js')],
  python: ['python3', '-c', sample('python')],
};

test.each(Object.keys(samples))('the sample of docs/events.md in %s shows a push', async (language) => {
  const { base_url: base, owner } = await stack.workspace();
  const call = async (operation: string, input: object) =>
    (await execute<Record<string, { id: string }>>(base, owner.token, operation, input)).body.result!;
  const { collection } = await call('record_store.create_collection', { name: 'followed' });
  const push = { collection_id: collection!.id, payload: {} };
  const proxy = await breakableProxy(base);
  const [program, ...args] = samples[language]!;
  const env = { PATH: process.env.PATH, BASE: proxy.url, TOKEN: owner.token };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (shown += text));
  const pushUntilShown = async () => {
    const pushed: string[] = [];
    // The sample begins at the end of the feed, some time after its process.
    while (!pushed.some((id) => shown.includes(id))) {
      if (child.exitCode !== null) throw new Error(shown);
      pushed.push((await call('record_store.push_record', push)).record!.id);
      await delay(100);
    }
  };
  await pushUntilShown();
  expect(shown).toContain('record.pushed');
  if (language !== 'sh') {
    await proxy.cut();
    await pushUntilShown();
  }
  child.kill();
  await proxy.close();
});
