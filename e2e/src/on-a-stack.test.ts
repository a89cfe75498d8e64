import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const module = new URL('on-a-stack.ts', import.meta.url).href;

test.each([
  ['a rejection that nothing handles', 'void Promise.reject(new Error("lost"));'],
  ['an error of a timer', 'setTimeout(() => { throw new Error("lost"); }, 1);'],
])('%s removes the stack and fails', (_what, failing) => {
  const program = `import { endWith } from '${module}';
    setInterval(() => {}, 1_000);
    await endWith({ remove: async () => console.log('removed') }, () => { ${failing} return new Promise(() => {}); });`;
  const started = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    ...{ encoding: 'utf8', timeout: 20_000 },
  });
  expect([started.status, started.stdout]).toEqual([1, 'removed\n']);
  expect(started.stderr).toContain('lost');
});
