import { setTimeout as pause } from 'node:timers/promises';
import { ActionError } from '@action-platform/contracts/errors';
import { MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { AUTHENTICATION_FAILED, UNAUTHORIZED } from './errors.ts';

/** The pause before a write is repeated, in milliseconds. */
const AGAIN_MS = 1_000;
/** The fewest items of a group that has a command of its own. */
const LEAST_OF_GROUP = 50;

/** Codes of a server that serves no command now: no primary, shutdown, no connection to others, no time left, no space, no permission. */
const servesNone: ReadonlySet<unknown> = new Set([
  ...[6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031],
  ...[UNAUTHORIZED, AUTHENTICATION_FAILED],
]);

/**
 * Whether an error says that the database is away: no connection, no primary, no time left, or no permission. Every other command then
 * fails as well. Any other error is of the documents of its command, or of our code, and says nothing of other documents.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ActionError) return error.code === 'action_platform_unavailable';
  if (!(error instanceof MongoError)) return false;
  // The driver did not get an answer.
  if (!(error instanceof MongoServerError)) return !(error instanceof MongoInvalidArgumentError);
  const { code } = error instanceof MongoBulkWriteError ? (error.result.getWriteErrorAt(0) ?? error) : error;
  return code === undefined || error.hasErrorLabel('RetryableWriteError') || servesNone.has(code);
}

/**
 * Does work that is safe to repeat for many items in one command. When an item makes it fail, the work is done for each item alone, so
 * that the failure is that item's.
 *
 * @param groups into how many groups, which the database works on at the same time, many items are divided: no order holds between items.
 * @returns the error of each item that failed alone.
 * @throws when the database is away: the outcome of all items is then unknown.
 */
export async function togetherOrAlone<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<unknown>,
  groups = 1,
): Promise<Map<Item, unknown>> {
  const attempt = async (some: readonly Item[]): Promise<{ error: unknown } | undefined> => {
    try {
      await work(some);
      return undefined;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      return { error };
    }
  };
  const failed = new Map<Item, unknown>();
  const attemptGroup = async (group: readonly Item[]) => {
    if (group.length > 1 && (await attempt(group)) === undefined) return;
    for (const item of group) {
      const failure = await attempt([item]);
      if (failure !== undefined) failed.set(item, failure.error);
    }
  };
  // No group is under way any more when the caller repeats the work.
  const ended = await Promise.allSettled(divided(items, groups).map(attemptGroup));
  for (const group of ended) if (group.status === 'rejected') throw group.reason;
  return failed;
}

/** Divides items into at most so many groups, none of which is too small to be worth a command. */
function divided<Item>(items: readonly Item[], groups: number): (readonly Item[])[] {
  const size = Math.max(Math.ceil(items.length / groups), LEAST_OF_GROUP);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Makes a write that is safe to repeat, again and again while the database is away. So a process settles its own work after an outage.
 *
 * @param onAway gets the first failure.
 * @throws the failure when the database refuses the write, or `signal` has aborted.
 */
export async function onceBack<Result>(
  write: () => Promise<Result>,
  signal: AbortSignal,
  onAway: (error: unknown) => void = () => {},
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || !isDatabaseAway(error)) throw error;
      if (isFirst) onAway(error);
      await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
