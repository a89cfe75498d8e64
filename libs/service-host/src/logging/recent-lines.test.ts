import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { RecentLines } from './recent-lines.ts';

// Only this flag exposes the collector in a process that was started without it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function arrayBuffers(): number {
  for (let times = 0; times < 2; times++) collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

test('recent lines take no more memory than their bytes', () => {
  const lines = new RecentLines();
  const before = arrayBuffers();
  for (let i = 0; i < 1_000; i++) {
    lines.add(`{"level":"info","request_id":"req_${i}"}`);
    // Other code uses the pool of Node.js meanwhile.
    for (let others = 0; others < 3; others++) Buffer.from('x'.repeat(30_000));
  }
  expect(arrayBuffers() - before).toBeLessThan(4_194_304);
  expect(lines.about('req_7')).toEqual([{ level: 'info', request_id: 'req_7' }]);
});
