import { expect, test } from '@jest/globals';
import { demoFolder } from './demo-folder.ts';
import { pasted, samplesOf } from './docs-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

test('the commands of docs/records.md work when pasted, and again', async () => {
  const directory = demoFolder(await stack.workspace());
  const blocks = samplesOf('docs/records.md', 'sh');
  const [created, pushed, many, changed, wentOn, read, listed, deleted, used] = pasted(blocks, directory);
  expect(created).toMatch(/"name":"contacts".*"payload":\{"name":"Ada","balance":12\.50,"tags":\["new"\]\}/s);
  expect(pushed).toMatch(/"version":1,.*"code":"record_store_idempotency_conflict"/s);
  expect(many).toMatch(/"replayed":false\},\{"error":\{"code":"record_store_idempotency_conflict"/);
  expect(many).toMatch(/"version":1,.*"missing":\["rec_unknown"\],"next":\[\]/s);
  expect(changed).toMatch(
    /"payload":\{"name":"Ada","tags":\["regular"\]\}.*"code":"record_store_stale_version"/s,
  );
  expect(changed).toContain('Version 1 was expected, but the Record has version 2 now.');
  expect(wentOn).toMatch(/"version":3,/);
  expect(read).toMatch(/"revisions":\[\{"version":1,.*\{"version":2,.*\{"version":3,/s);
  expect(listed).toMatch(/"records":\[.*"next_cursor":/s);
  expect(deleted).toMatch(/"state":"archived".*"deleted":\{"id":"rec_/s);
  expect(used).toMatch(/"quota":\d+,"stored_bytes":\d+/);
  expect(pasted(blocks, directory).at(-1)).toContain('"quota"');
});

test('the commands of docs/procedures.md create, list and get a draft', async () => {
  const [shown] = pasted(samplesOf('docs/procedures.md', 'sh'), demoFolder(await stack.workspace()));
  expect(shown).toMatch(
    /"state":"draft".*"procedures":\[\{"slug":"onboard-a-customer".*"markdown":"# Onboard/s,
  );
});
