import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { bucketProblem } from './bucket-problem.ts';

const logs = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(logs, { recursive: true }));

const lineAt = (time: string) =>
  `${JSON.stringify({ time, code: 'NoSuchBucket', msg: 'FILES_S3_BUCKET cannot be listed; the listing is kept' })}\n`;

test('the bucket that knowledge cannot list is named with the code, and one of a former start is not', async () => {
  const since = Date.parse('2026-11-24T12:00:00Z');
  expect(await bucketProblem(logs, 'acme-files', since, 0)).toBeUndefined();
  writeFileSync(join(logs, 'knowledge.log'), `${lineAt('2026-11-24T11:00:00Z')}{"msg":"ready"}\n`);
  expect(await bucketProblem(logs, 'acme-files', since, 0)).toBeUndefined();
  writeFileSync(join(logs, 'knowledge.log'), lineAt('2026-11-24T12:00:01Z'), { flag: 'a' });
  expect(await bucketProblem(logs, 'acme-files', since, 0)).toMatch(/acme-files \(NoSuchBucket\)/);
});
