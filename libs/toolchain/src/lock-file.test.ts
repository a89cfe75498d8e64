import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { withEveryPlatform } from './lock-file.mjs';

const tool = (...builds: string[]) => ({
  version: '2.0.0',
  dev: true,
  optionalDependencies: Object.fromEntries(builds.map((name) => [name, '2.0.0'])),
});

test('builds that npm left out are locked by their version, for their platform alone', () => {
  const locked = withEveryPlatform({
    'node_modules/tool': tool('@tool/darwin-arm64', 'tool-linux-x64-musl', '@tool/linux-arm-gnueabihf'),
  });
  const build = { version: '2.0.0', dev: true, optional: true };
  expect(locked).toMatchObject({
    'node_modules/@tool/darwin-arm64': { ...build, os: ['darwin'], cpu: ['arm64'] },
    'node_modules/@tool/linux-arm-gnueabihf': { ...build, os: ['linux'], cpu: ['arm'], libc: ['glibc'] },
    'node_modules/tool-linux-x64-musl': { ...build, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  });
  expect(Object.keys(locked)).toEqual([
    'node_modules/@tool/darwin-arm64',
    'node_modules/@tool/linux-arm-gnueabihf',
    'node_modules/tool',
    'node_modules/tool-linux-x64-musl',
  ]);
});

test('what is locked stays as it is, beside its package and below it', () => {
  const locked = {
    'node_modules/a': tool('x-linux-x64', 'x-darwin-x64'),
    'node_modules/a/node_modules/x-darwin-x64': { version: '2.0.0' },
    'node_modules/x-linux-x64': { version: '2.0.0', integrity: 'sha512-x' },
  };
  expect(withEveryPlatform(locked)).toEqual(locked);
});

test('what is named after no platform is not guessed', () => {
  expect(() => withEveryPlatform({ 'node_modules/tool': tool('fsevents') })).toThrow('lacks fsevents');
});

test.each(['', 'bench/', 'docs/clients/'])(
  '%spackage-lock.json lacks nothing that npm ci asks for',
  (folder) => {
    const { packages } = JSON.parse(readFileSync(`${folder}package-lock.json`, 'utf8'));
    expect(Object.keys(withEveryPlatform(packages))).toEqual(Object.keys(packages));
  },
);
