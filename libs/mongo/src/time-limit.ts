import { requireTimeLeft, type Timed } from '@action-platform/contracts';

/** The longest that the server may work on any command, in milliseconds; commands of a call mostly have less. */
export const LONGEST_COMMAND_MS = 9_000;

/**
 * The documents of a cursor, until the deadline: then it closes the cursor on the server and reads no further.
 *
 * The read in progress is left to its time limit. The driver can stop it (`signal`) only by destroying the connection. A new
 * one takes longer than most reads, and a client that calls and leaves in a loop would keep the pool busy with nothing else.
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
 * The options that give a command the deadline of its caller. Every command of a service has them, except the building of
 * indexes, for which no call waits.
 *
 * For a cursor the server adds up its work on `find` and each `getMore`, without the time between them. At the deadline it answers
 * error 50, MaxTimeMSExpired. A read has done nothing. The outcome of a write is unknown, as after a lost connection: it may have
 * been made without the majority's acknowledgement in time.
 *
 * @throws ActionError `action_platform_unavailable` when the deadline has passed: the command is not sent.
 */
export function within(timed: Timed): { maxTimeMS: number } {
  requireTimeLeft(timed);
  const left = Math.ceil(timed.deadline - performance.now());
  return { maxTimeMS: Math.min(Math.max(1, left), LONGEST_COMMAND_MS) };
}
