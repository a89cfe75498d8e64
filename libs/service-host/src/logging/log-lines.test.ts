import { execFile } from 'node:child_process';
import { platform } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { ANSWERED, LogLines } from './log-lines.ts';

function logInto(written: string[]) {
  const lines = new LogLines({ write: (text) => void written.push(text) });
  return { log: pino({ base: null, timestamp: false }, lines), lines };
}

const messagesIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

test('lines of calls are written together, after a while or when there are many', async () => {
  const written: string[] = [];
  const { log } = logInto(written);
  log.info(ANSWERED);
  log.info(ANSWERED);
  expect(written).toEqual([]);
  while (written.length === 0) await delay(5);
  expect(written.map(messagesIn)).toEqual([[ANSWERED, ANSWERED]]);
  for (let n = 0; n < 10; n++) log.info({ text: 'x'.repeat(1_000) }, ANSWERED);
  expect(written.map((text) => messagesIn(text).length)).toEqual([2, 4, 4]);
});

test('any other line is written at once, after the waiting ones', () => {
  const written: string[] = [];
  const { log, lines } = logInto(written);
  log.info({ n: 1 }, ANSWERED);
  log.warn('lost the connection');
  log.info({ n: 2 }, ANSWERED);
  expect(written.map(messagesIn)).toEqual([[ANSWERED, 'lost the connection']]);
  lines.flush();
  lines.flush();
  expect(written.map(messagesIn)).toEqual([[ANSWERED, 'lost the connection'], [ANSWERED]]);
});

test('control and invisible characters are escaped anywhere in a line', () => {
  const written: string[] = [];
  const { log } = logInto(written);
  const user = 'ada\u009b31m\u202e\u2028\u007f\u00ad\u{e0001}\u0007é🦊';
  log.child({ 'key\u202e': 1 }).warn({ user_id: user, nested: { user } }, `from ${user}`);
  const [line] = written;
  expect(line).toMatch(/^[\x20-\x7eé🦊]*\n$/u);
  expect(JSON.parse(line!)).toMatchObject({ user_id: user, nested: { user }, msg: `from ${user}` });
  log.warn('ordinary: é 🦊');
  expect(written[1]).toContain('"ordinary: é 🦊"');
});

const run = promisify(execFile);
const options = { timeout: 30_000, killSignal: 'SIGKILL' as const };
const logger = fileURLToPath(new URL('logger.ts', import.meta.url));
const node = [process.execPath, '--input-type=module', '--eval'];
/** Runs a script with pipes of the shell's: what Node itself makes of 'pipe' is a socket, which tells of its end in another way. */
const inShell = (command: string, script: string) =>
  run('sh', ['-c', command, 'sh', ...node, script], options);

test('a process continues when the reader of its log has stopped, and writes the waiting lines at its end', async () => {
  const script = `
    const { createLogger } = await import(${JSON.stringify(logger)});
    const log = createLogger('mail', 'info');
    log.info('ready');
    setTimeout(() => {
      log.warn('nobody reads this');
      log.info('nor this');
      process.stderr.write('went on');
    }, 300);`;
  const { stdout, stderr } = await inShell('"$@" | head -n 1', script);
  expect(messagesIn(stdout)).toEqual(['ready']);
  expect(stderr).toBe('went on');
  const waiting = `
    const { createLogger } = await import(${JSON.stringify(logger)});
    createLogger('mail', 'info').info('answered');`;
  const ended = await run(process.execPath, ['--input-type=module', '--eval', waiting], options);
  expect(messagesIn(ended.stdout)).toEqual(['answered']);
});

const onLinux = platform() === 'linux' ? test : test.skip;

onLinux('a process loses the lines that a full disk does not take, and goes on', async () => {
  const script = `
    const { closeSync, openSync } = await import('node:fs');
    const { createLogger } = await import(${JSON.stringify(logger)});
    const log = createLogger('mail', 'info');
    for (let n = 0; n < 1000; n++) log.info(n % 2 === 0 ? 'answered' : 'lost');
    closeSync(1);
    openSync('/dev/stderr', 'w');
    log.info('written again');`;
  const { stdout } = await inShell('"$@" 2>&1 >/dev/full | cat', script);
  expect(messagesIn(stdout)).toEqual(['written again']);
});
