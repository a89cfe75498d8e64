import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { failureLevel, reportDefect } from '@action-platform/contracts/errors';
import type { Collection, Document, Filter } from 'mongodb';
import { onceBack } from './database-away.ts';
import { Lease, type StoredLease } from './lease.ts';
import { within } from './time-limit.ts';

/** How many attempts a process makes at once, so that a long one holds up no other. */
const AT_ONCE = 4;
/** The longest wait after attempts that ended their processes, in milliseconds. */
const LONGEST_MS = 3_600_000;

/** A document with work. */
type Leased = Document & { readonly _id: unknown };

/** Whether an attempt may go on: its process has the lease, and does not stop. */
export type MayGoOn = () => Promise<boolean>;

/** Work on documents that repeats by itself until it is done. Each document has attempts, a pause and a count of its own. */
export interface RepeatedWork<Stored extends Leased> {
  /** Names it in log lines: `the erasure of a Workspace`. */
  readonly name: string;
  readonly documents: Collection<Stored>;
  /** Matches the documents whose work is due. */
  readonly due: Filter<Stored>;
  /** The field of its lease, `lease` by default. */
  readonly field?: string;
  /** How long an attempt may take between two confirmations of its lease, in milliseconds. */
  readonly durationMs: number;
  /** The pause after a failed attempt, in milliseconds: twice as long after each failure in a row, up to the longest. */
  readonly pause: { readonly firstMs: number; readonly longestMs: number };
  /** The ids that a log line names. */
  readonly idsOf: (id: Stored['_id']) => object;
  readonly attempt: (id: Stored['_id'], mayGoOn: MayGoOn) => Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Attempts the work of every document that is due, under its lease. A failure is a warning that names the document, and delays no other.
 *
 * @returns for how many documents the last attempt failed or was interrupted.
 */
export async function attemptDue<Stored extends Leased>(
  work: RepeatedWork<Stored>,
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  const { documents, due, field = 'lease' } = work;
  const projection = { [`${field}.failures`]: 1 };
  const found = (await documents.find(due, { projection, ...within(inBackground) }).toArray()).values();
  let failing = 0;
  const attemptNext = async () => {
    for (const document of found) {
      if (signal.aborted) return;
      const { failures = 0 } = (document[field] ?? {}) as Partial<StoredLease>;
      if (await isFailing(work, document._id as Stored['_id'], { failures, log, signal })) failing++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, attemptNext));
  return failing;
}

interface Attempting {
  readonly failures: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Makes an attempt unless the lease is taken; whether the work of the document fails. */
async function isFailing<Stored extends Leased>(
  { name, documents, due, field, durationMs, pause, idsOf, attempt }: RepeatedWork<Stored>,
  _id: Stored['_id'],
  { failures: before, log, signal }: Attempting,
): Promise<boolean> {
  const ids = idsOf(_id);
  const onInterrupted = (failures: number) =>
    log.warn({ ...ids, failures }, `${name} was interrupted: its process ended; the next one waits longer`);
  const lease = new Lease(documents, {
    filter: { _id } as Filter<Stored>,
    owner: randomUUID(),
    durationMs,
    repeated: { longestMs: LONGEST_MS, onInterrupted },
    ...(field && { field }),
  });
  // Without this write the lease runs out, and the attempt counts as interrupted.
  const settle = (write: () => Promise<void>) =>
    onceBack(write, signal).catch((err: unknown) => {
      log[failureLevel(err)]({ err, ...ids }, `the end of an attempt was not stored: ${name}`);
    });
  try {
    if ((await lease.take(inBackground, due)) === undefined) return before > 0;
    await attempt(_id, async () => !signal.aborted && (await lease.confirm(inBackground)));
  } catch (err) {
    if (signal.aborted) {
      await lease.end(inBackground).catch(reportDefect(log, `the lease of ${name} was not given back`, ids));
      return false;
    }
    log[failureLevel(err)](
      { err, ...ids, failures: lease.failures + 1 },
      `${name} failed; it goes on after a pause`,
    );
    await settle(() => lease.fail(pause, inBackground));
    return true;
  }
  await settle(() => lease.end(inBackground));
  return false;
}
