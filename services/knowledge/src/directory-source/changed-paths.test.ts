import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAtOrBelow } from '../files/file-path.ts';
import { ChangedPaths, MAX_CHANGED_PATHS } from './changed-paths.ts';

const segment = fc.integer({ min: 0, max: 30 }).map(String);
const path = fc.array(segment, { maxLength: 4 }).map((names) => names.join('/'));
const never = new AbortController().signal;

describe('changed paths', () => {
  test('cover every added path, are limited in number, and do not contain each other', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 400 }), (noted) => {
        const changed = new ChangedPaths();
        for (const one of noted) changed.add(one);
        const taken = changed.take();
        expect(noted.filter((one) => !taken.some((other) => isAtOrBelow(one, other)))).toEqual([]);
        expect(taken.length).toBeLessThanOrEqual(MAX_CHANGED_PATHS);
        const overlapping = taken.filter((one) =>
          taken.some((other) => other !== one && isAtOrBelow(one, other)),
        );
        expect(overlapping).toEqual([]);
        expect(changed.take()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('stay separate up to the limit, beyond which their folder replaces them', () => {
    const changed = new ChangedPaths();
    const files = Array.from({ length: MAX_CHANGED_PATHS }, (_, i) => `a/b/${i}`);
    for (const file of files) changed.add(file);
    changed.add('other');
    expect(changed.take()).toEqual(['other', 'a/b']);
    for (const file of files) changed.add(file);
    expect(changed.take()).toEqual(files);
  });

  test('end the wait when they arrive, after the time to gather', async () => {
    const changed = new ChangedPaths();
    const waiting = changed.wait(60_000, 1, never);
    changed.add('a');
    await waiting;
    await changed.wait(60_000, 1, never);
    expect(changed.take()).toEqual(['a']);
  });

  test('are waited for no longer than asked, nor after an abort', async () => {
    const changed = new ChangedPaths();
    await changed.wait(1, 60_000, never);
    await changed.wait(60_000, 60_000, AbortSignal.abort());
    expect(changed.take()).toEqual([]);
  });
});
