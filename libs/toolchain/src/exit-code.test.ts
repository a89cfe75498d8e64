import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const waiting = `
  import { spawn } from 'node:child_process';
  import { exitCodeOf, wasAskedToStop } from ${JSON.stringify(import.meta.resolve('./exit-code.mjs'))};
  const stopsItself = 'process.once("SIGTERM", () => process.exit(1)); setInterval(() => {}, 1000); console.log("ready");';
  const code = await exitCodeOf(spawn(process.execPath, ['--eval', stopsItself], { stdio: 'inherit' }));
  console.log(code, wasAskedToStop());
`;

test('a command of many processes knows that it was asked to stop, whatever exit code the present one has', async () => {
  const command = spawn(process.execPath, ['--input-type=module', '--eval', waiting]);
  command.stdout.once('data', () => command.kill('SIGTERM'));
  expect(await text(command.stdout)).toBe('ready\n1 true\n');
});
