import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects all garbage and returns the free memory to the system, which takes some 50 ms. A process does so at the end of its start:
 * V8 keeps the large young generation that the start needed, and the garbage of a heap that stays below `--initial-old-space-size`.
 */
export function collectGarbage(): void {
  // V8 gives the function `gc` only to a context that begins after the flag was set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
