import { expect, test } from '@jest/globals';
import { explainMongodLog } from './explain-log.ts';

const line = (s: string, msg: string, attr?: object) => JSON.stringify({ s, c: 'CONTROL', msg, attr });

test('the reason is the first error, in the words of mongod', () => {
  const log = [
    line('I', 'starting'),
    line('E', 'Failed', { error: 'No space left on device' }),
    line('F', 'Fatal assertion'),
  ];
  expect(explainMongodLog(log)).toBe('Failed {"error":"No space left on device"}');
});

test('a log without JSON yields the complaint of the loader', () => {
  const complaint = 'mongod: libcurl.so.4: cannot open shared object file';
  expect(explainMongodLog([complaint, ''])).toBe(complaint);
});

test('neither warnings nor information nor an incomplete line are a reason', () => {
  expect(
    explainMongodLog([line('W', 'slow disk'), line('I', 'done'), '{"s":"E","msg":"cut of']),
  ).toBeUndefined();
});
