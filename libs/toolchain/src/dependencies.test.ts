import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { installDependencies, isInstalled } from './dependencies.mjs';
import { ToolchainError } from './errors.mjs';

const app = { name: 'app', version: '1.0.0' };
const zod = { version: '4.0.0', integrity: 'sha512-zod' };
const linked = { resolved: 'libs/json', link: true };
const forMac = { version: '1.0.0', integrity: 'sha512-mac', optional: true };
const { integrity: _, ...unhashed } = forMac;
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolchain-'));
});

afterEach(() => rmSync(root, { recursive: true }));

function checkout(locked: object, installed?: object) {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': app, ...locked } }));
  if (!installed) return;
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
}

test('a bare checkout has nothing installed', () => {
  checkout({ 'node_modules/zod': zod });
  expect(isInstalled(root)).toBe(false);
});

test.each([
  ['the same packages', { zod, json: linked }, { zod, json: linked }, true],
  ['no build for another platform', { zod, mac: forMac }, { zod }, true],
  ['a build for this platform that is not in the lock', { zod }, { zod, mac: forMac }, true],
  ['a build for this platform the lock names without a hash', { mac: unhashed }, { mac: forMac }, true],
  ['another version', { zod }, { zod: { ...zod, version: '3.9.0' } }, false],
  ['other bytes of the same version', { zod }, { zod: { ...zod, integrity: 'sha512-other' } }, false],
  ['one package less', { zod, json: linked }, { zod }, false],
  ['one package more', { zod }, { zod, left: zod }, false],
])('with %s installed', (_name, locked, installed, expected) => {
  checkout(inNodeModules(locked), inNodeModules(installed));
  expect(isInstalled(root)).toBe(expected);
});

test('a package without its own node_modules is not installed', () => {
  const own = { 'libs/json/node_modules/zod': zod };
  checkout(own, own);
  expect(isInstalled(root)).toBe(false);
  mkdirSync(join(root, 'libs/json/node_modules/zod'), { recursive: true });
  expect(isInstalled(root)).toBe(true);
});

function inNodeModules(packages: object) {
  return Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]));
}

test("the error of an installation that fails has npm's reason", async () => {
  const userCache = process.env.XDG_CACHE_HOME;
  process.env.XDG_CACHE_HOME = root;
  try {
    const installed = installDependencies(root, () => {});
    await expect(installed).rejects.toThrow(ToolchainError);
    await expect(installed).rejects.toThrow(/package-lock\.json.*\nThe dependencies are not installed/s);
  } finally {
    if (userCache === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = userCache;
  }
});
