import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

test('a path of Chromium that names no file is refused, because its tests would be skipped', () => {
  const command = fileURLToPath(new URL('with-chromium.mjs', import.meta.url));
  const env = { ...process.env, CHROMIUM_PATH: '/nowhere/chromium' };
  const args = [command, '--eval', 'console.log("ran")'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('/nowhere/chromium');
});
