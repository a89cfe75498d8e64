import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SourceUnavailable, ToolchainError } from './errors.mjs';
import { cacheDir } from './programs/cache.mjs';
import { firstOf } from './programs.mjs';

const unavailable = (reason: string) => () => Promise.reject(new SourceUnavailable(reason));
const absent = () => Promise.resolve(undefined);
const at = (path: string) => () => Promise.resolve(path);

test('the first source that has the program wins', async () => {
  const sources = [unavailable('not here'), absent, at('/first'), at('/second')];
  await expect(firstOf('tool', 'Install it.', sources)).resolves.toBe('/first');
});

test('when no source has it, the error says why in one line and what to do', async () => {
  const found = firstOf('tool', 'Install it.', [
    unavailable('not on the PATH'),
    absent,
    unavailable('no network'),
  ]);
  await expect(found).rejects.toThrow(
    new ToolchainError('No tool for this machine: not on the PATH; no network. Install it.'),
  );
});

test('an error that is not a missing source ends the search', async () => {
  const refused = () => Promise.reject(new ToolchainError('wrong bytes'));
  await expect(firstOf('tool', 'Install it.', [refused, at('/second')])).rejects.toThrow('wrong bytes');
});

test('the error for a cache that cannot be written says what to do', async () => {
  const full = Object.assign(new Error('ENOSPC: …'), { code: 'ENOSPC', path: join(cacheDir(), 'mongod') });
  await expect(firstOf('tool', 'Install it.', [() => Promise.reject(full)])).rejects.toThrow(
    new ToolchainError(`${cacheDir()} cannot be written (ENOSPC): set XDG_CACHE_HOME to a folder that can.`),
  );
});
