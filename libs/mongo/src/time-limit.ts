import { requireTimeLeft, type Timed } from '@action-platform/contracts/calls';

/** The longest time limit of any command, in milliseconds; commands of a call mostly have less. */
export const LONGEST_COMMAND_MS = 9_000;

/**
 * The documents of a cursor until the deadline; then the generator closes the cursor on the server.
 *
 * A read in flight ends at its own time limit. The driver can stop it earlier (`signal`) only by destroying the connection.
 * A new connection takes longer than most reads, so a client that calls and disconnects in a loop would occupy the pool
 * with new connections.
 *
 * @throws ActionError `action_platform_unavailable` after the deadline, from the iteration.
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
 * For a cursor the server adds up its work on `find` and each `getMore`, without the time between them. At the time limit the
 * server answers error 50, MaxTimeMSExpired. A read has changed nothing. The outcome of a write is unknown, as after a lost
 * connection: the primary may have made it without the majority's acknowledgement in time.
 *
 * @throws ActionError `action_platform_unavailable` when the deadline has passed, before the command is sent.
 */
export function within(timed: Timed): { maxTimeMS: number } {
  requireTimeLeft(timed);
  const left = Math.ceil(timed.deadline - performance.now());
  return { maxTimeMS: Math.min(Math.max(1, left), LONGEST_COMMAND_MS) };
}
