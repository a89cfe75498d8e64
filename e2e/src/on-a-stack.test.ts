import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

/** A command that removes its stack only after a second signal. */
const command = `
  import { once } from 'node:events';
  import { endWith, say } from './e2e/src/on-a-stack.ts';
  const remove = async () => {
    say('removing');
    await once(process, 'SIGINT');
    say('removed');
  };
  await endWith({ remove }, async () => {
    say('working');
    return await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
`;

test('a command removes its stack once, also after a second interrupt', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', command], { stdio: 'pipe' });
  const ended = once(child, 'close');
  const output = text(child.stdout);
  child.stdout.on('data', (chunk) => {
    if (/working|removing/.test(String(chunk))) child.kill('SIGINT');
  });
  expect(await ended).toEqual([1, null]);
  expect(await output).toBe('working\nremoving\nremoved\n');
});
