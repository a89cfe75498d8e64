import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fileKey } from '../files/stored-file.ts';
import { BucketKnowledge } from '../test-support/bucket-knowledge.ts';
import { describeReadFiles } from '../test-support/read-files.suite.ts';
import { newMember } from '../test-support/test-knowledge.ts';

const service = new BucketKnowledge();
const { bucket } = service;
beforeAll(async () => {
  await bucket.start();
  await service.follow();
});
beforeEach(() => bucket.reset());
afterAll(() => service.stop());

describeReadFiles(service);

/** A listed file; what its reader gets. */
async function aFile(content: string) {
  const { member, company } = newMember();
  const at = `${company}/ä b+c%.txt`;
  await service.begin([at]);
  await service.put(at, content);
  const key = fileKey({ workspaceId: member.workspaceId, owner: null }, 'ä b+c%.txt');
  return { at, get: () => service.get(member, key) };
}

test('an object that changes once its size is known is read again', async () => {
  const { at, get } = await aFile('before');
  let changes = 0;
  bucket.onObject = (method) => {
    if (method === 'HEAD' && changes++ < 2)
      queueMicrotask(() => bucket.contents.set(at, Buffer.from('after it')));
  };
  expect((await get()).result.file).toMatchObject({ bytes: 8, text: 'after it' });
});

test('an object that never rests, is cut or denied is unavailable, and the log has no more than the code', async () => {
  const { at, get } = await aFile('before');
  let round = 0;
  const failures: (typeof bucket.onObject)[] = [
    () => void bucket.contents.set(at, Buffer.from(String(round++))),
    (method) => (method === 'GET' ? 'cut' : undefined),
    () => ({ status: 403, code: 'AccessDenied' }),
    () => ({ status: 500, code: 'InternalError' }),
  ];
  for (const failure of failures) {
    bucket.onObject = failure;
    expect((await get()).error).toMatchObject({ code: 'action_platform_unavailable' });
  }
  const log = service.replica.lines.join();
  expect(log).toMatch(/"err":\{[^}]*"code":"403"/);
  expect(log).not.toMatch(/test-key|SECRET-test|the stand-in says no/);
});
