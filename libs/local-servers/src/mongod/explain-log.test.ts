import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { explainMongodLog } from './explain-log.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-servers-'));
  writeFileSync(join(dataDir, 'mongod.lock'), '4711\n');
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const explain = (...log: string[]) => explainMongodLog(log, { dataDir, port: 27017 });
const line = (s: string, msg: string, attr?: object) => JSON.stringify({ s, c: 'CONTROL', msg, attr });
const error = (errmsg: string) => line('E', 'DBException in initAndListen, terminating', { error: errmsg });

test.each([
  ['SocketException: setup bind :: caused by :: Address already in use', () => 'port 27017 is taken: '],
  ['DBPathInUse: Unable to lock the lock file', () => `another mongod (pid 4711) uses ${dataDir}: stop it`],
  ['handle-write: pwrite: No space left on device', () => `the disk of ${dataDir} is full: make room`],
  ['Wrong version: UPGRADE PROBLEM: invalid version', () => `another version of MongoDB wrote ${dataDir}: `],
  ['open: Permission denied', () => `this user may not read and write ${dataDir}: `],
])('%s', (errmsg, reason) => {
  expect(explain(line('I', 'starting'), error(errmsg))).toContain(reason());
});

test('an error without advice of its own keeps the words of mongod', () => {
  expect(explain(line('F', 'Fatal assertion', { msgid: 1 }), '{"s":"E","msg":"cut of')).toBe(
    'Fatal assertion {"msgid":1}',
  );
});

test('a log without JSON yields the complaint of the loader', () => {
  expect(explain('mongod: libcurl.so.4: cannot open shared object file', '')).toBe(
    'mongod: libcurl.so.4: cannot open shared object file',
  );
});

test('warnings and information are not a reason', () => {
  expect(explain(line('W', 'Permission denied to read a statistic'), line('I', 'done'))).toBeUndefined();
});
