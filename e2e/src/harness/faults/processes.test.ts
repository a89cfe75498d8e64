import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { residentMib } from '@action-platform/local-servers';
import { expect, test } from '@jest/globals';
import { freeze, kill } from './processes.ts';

test('a process that has ended meanwhile is neither killed, nor frozen, nor measured', async () => {
  const child = spawn(process.execPath, ['--eval', '']);
  await once(child, 'close');
  const pids = [child.pid!];
  kill(pids);
  freeze(pids)();
  expect(residentMib(child.pid!)).toBe(0);
});
