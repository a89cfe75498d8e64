import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait by default, in milliseconds. */
const WITHIN_MS = 300_000;

/**
 * Resolves once a condition holds.
 *
 * @param what names the condition
 * @throws Error with that name when the condition does not hold in time: a run that hangs is never red
 */
export async function until(
  what: () => string,
  holds: () => boolean | Promise<boolean>,
  { pollMs = 100, withinMs = WITHIN_MS }: { readonly pollMs?: number; readonly withinMs?: number } = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await delay(pollMs))
    if (performance.now() > end) throw new Error(`After ${withinMs / 1_000} s not yet: ${what()}`);
}
