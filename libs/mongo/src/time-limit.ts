import { requireTimeLeft, type Timed } from '@action-platform/contracts';

/**
 * The longest that the server may work on one command, in milliseconds, whoever waits for it: on those of a call, which
 * mostly have less, and on those of the background.
 */
export const LONGEST_COMMAND_MS = 9_000;

/**
 * What a cursor finds, for as long as somebody waits for it: when nobody does any more, it is closed on the server, and the
 * next read is not made.
 *
 * What the server works on at that moment is left to its time limit. The driver can stop it (`signal`) only by destroying the
 * connection. Making another takes longer than most of our reads do, and whoever calls and leaves in a loop would have the
 * pool do nothing else.
 *
 * @throws ActionError `action_platform_unavailable`, as it is consumed.
 */
export async function* whileAwaited<Found>(
  cursor: AsyncIterable<Found>,
  timed: Timed,
): AsyncGenerator<Found> {
  for await (const found of cursor) {
    requireTimeLeft(timed);
    yield found;
  }
}

/**
 * The options of a command that somebody waits for: the server gives up when they do. Every command of a service has
 * them, but for the building of indexes, which nobody waits for in a call and which takes as long as it takes.
 *
 * For a cursor the server adds up the time it works on `find` and each `getMore`; the time between them does not
 * count. What it answers then is error 50, MaxTimeMSExpired. A read has done nothing. Of a write nobody knows: it may
 * have been made, and only the majority not have said so in time. To a handler it is what a lost connection is.
 *
 * @throws ActionError `action_platform_unavailable` when nobody waits any more: the command is not sent.
 */
export function within(timed: Timed): { maxTimeMS: number } {
  requireTimeLeft(timed);
  const left = Math.ceil(timed.deadline - performance.now());
  return { maxTimeMS: Math.min(Math.max(1, left), LONGEST_COMMAND_MS) };
}
