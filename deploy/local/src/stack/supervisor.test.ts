import { WRONG_CONFIGURATION_EXIT } from '@action-platform/contracts/configuration';
import type { Ending } from '@action-platform/local-servers';
import { afterEach, expect, test } from '@jest/globals';
import { Supervisor } from './supervisor.ts';

let supervisor: Supervisor | undefined;
afterEach(() => supervisor?.stop());

/** Supervises a process that ends in each of these ways, one after the other, and then runs until the supervisor stops it. */
async function keep(endings: (Ending | Error)[], isUp = false) {
  const lines: string[] = [];
  let starts = 0;
  const running = Promise.withResolvers<Ending>();
  supervisor = new Supervisor((line) => lines.push(line), 1);
  if (isUp) supervisor.allRun();
  await supervisor.keep({
    name: 'mail',
    logFile: 'mail.log',
    start: async () => {
      const ending = endings[starts++] ?? running.promise;
      if (ending instanceof Error) throw ending;
      const stop = async () => running.resolve({ code: 0, signal: null, reason: 'exit code 0' });
      return { pid: 0, exited: Promise.resolve(ending), stop };
    },
  });
  return { lines, starts: () => starts, givenUp: supervisor.givenUp };
}

const ends = (times: number, code = 1): Ending[] =>
  Array.from({ length: times }, () => ({ code, signal: null, reason: 'cannot start: no words' }));

test('a process that ends is restarted, with one line about it', async () => {
  const { lines, starts } = await keep(ends(3));
  while (starts() < 4) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(lines).toEqual(['mail ended (cannot start: no words); starting it again.']);
});

test('a process with a wrong configuration is not restarted', async () => {
  const { givenUp, starts } = await keep(ends(1, WRONG_CONFIGURATION_EXIT));
  await expect(givenUp).rejects.toThrow('mail cannot run: cannot start: no words');
  expect(starts()).toBe(1);
});

test('the supervisor gives up a process that keeps ending before the platform is ready', async () => {
  const { givenUp, starts } = await keep(ends(9));
  await expect(givenUp).rejects.toThrow('mail keeps ending: cannot start: no words (log: mail.log)');
  expect(starts()).toBe(5);
});

test('after the platform was ready, the supervisor restarts it, and a line has the reason of its end', async () => {
  const { lines, starts } = await keep(
    [...ends(1), ...ends(4).map(() => new Error('no room (log: mail.log)')), ...ends(2)],
    true,
  );
  while (starts() < 8) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(lines).toEqual([
    'mail ended (cannot start: no words); starting it again.',
    'mail keeps ending: no room (log: mail.log); the supervisor continues to restart it.',
  ]);
});
