import { expect, test } from '@jest/globals';
import { exitReason } from './exit-reason.ts';

const line = (level: string, msg: string, err?: object) =>
  JSON.stringify({ level, service: 'mail', err, msg });

test.each([
  [
    'the last fatal line',
    [line('fatal', 'cannot start: one'), line('fatal', 'cannot start: two'), line('info', 'ready'), ''],
    'cannot start: two',
  ],
  [
    'the type of an unexpected error',
    [line('fatal', 'unexpected error', { type: 'TypeError' })],
    'unexpected error (TypeError)',
  ],
  [
    'the error of a program that Node.js cannot run',
    ['file:///x.ts:1', "SyntaxError: Unexpected token 'x'", '    at …', '', 'Node.js v26'],
    "SyntaxError: Unexpected token 'x'",
  ],
  [
    'undefined for a log without a fatal error',
    [line('error', 'a call failed'), '"level":"fatal" cut o'],
    undefined,
  ],
])('%s', (_what, log, words) => {
  expect(exitReason(log)).toBe(words);
});
