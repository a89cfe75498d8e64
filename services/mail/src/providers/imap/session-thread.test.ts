import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { platform } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { SessionThread } from './session-thread.ts';
import { TooMuchWork } from './thread/refusals.ts';
import type { SessionTask } from './thread/task.ts';

/** A search for a draft in a mail server of this machine. */
function searchIn({ account: { email, settings, secret = '' } }: ScriptedImap): SessionTask {
  const addresses = [{ address: settings.host, family: 4 }];
  return { mailbox: { email, settings, secret, addresses }, work: { kind: 'find_draft', marker: 'ab12' } };
}

/** Serves a session with a server that sends folders for all of a thread's memory, and prints its end. */
const fillHeap = `
  import { ScriptedImap } from './services/mail/src/test-support/scripted-imap.ts';
  import { SessionThread } from './services/mail/src/providers/imap/session-thread.ts';
  const searchIn = ${searchIn};
  const imap = await ScriptedImap.started();
  imap.script = (command) => command.endsWith('"*"') ? '* LIST () "/" a\\r\\n'.repeat(50_000) : undefined;
  const thread = new SessionThread(() => {});
  const served = thread.serve(searchIn(imap), new AbortController().signal);
  console.log(await served.then(() => 'served', (error) => error.constructor.name + ': ' + error.code));
  process.exit();
`;

test('a full heap ends the thread alone, in a process with limits for heaps of its own', () => {
  const flags = ['--max-old-space-size=192', '--initial-old-space-size=64', '--max-semi-space-size=16'];
  const { stdout } = spawnSync(process.execPath, [
    ...flags,
    '--input-type=module-typescript',
    '--eval',
    fillHeap,
  ]);
  // The collection of garbage in a heap that is nearly full is work, too.
  expect(stdout.toString()).toMatch(/^TooMuchWork: (the thread ended|too much work)\n$/);
});

// Elsewhere threads have no priority of their own.
const onLinux = platform === 'linux' ? test : test.skip;
onLinux('on Linux, a thread with much work has the lowest priority', async () => {
  const imap = await ScriptedImap.started();
  const lines = `* 2 EXISTS\r\n${'* VANISHED 1:4294967295\r\n'.repeat(1000)}`;
  imap.script = (command) => (command.startsWith('SELECT') ? lines : undefined);
  const thread = new SessionThread(() => {});
  const ended = thread.serve(searchIn(imap), new AbortController().signal).catch((error) => error);
  let isWorking = true;
  ended.then(() => {
    isWorking = false;
  });
  while (isWorking && !hasLowThread()) await setTimeout(10);
  expect(hasLowThread()).toBe(true);
  expect(await ended).toBeInstanceOf(TooMuchWork);
  await thread.end();
  imap.stop();
});

/** Whether a thread of this process has the lowest priority: the nineteenth field of its line (proc_pid_stat(5)). */
function hasLowThread(): boolean {
  return readdirSync('/proc/self/task').some((id) => {
    const line = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    const [priority] = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .slice(16);
    return Number(priority) === constants.priority.PRIORITY_LOW;
  });
}
