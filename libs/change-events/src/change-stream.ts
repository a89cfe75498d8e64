import { inBackground } from '@action-platform/contracts/calls';
import { untilAnswered, within } from '@action-platform/mongo';
import {
  BSON,
  type ClientSession,
  type Db,
  type Document,
  Long,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import { type DatabaseChange, type Followed, hasUpdates, pipelineOf } from './followed.ts';

/** A position in the oplog, as the database writes it. */
export type ResumeToken = Document;

/** Where a change stream begins: after a token, or at a time. */
export type Beginning = { readonly startAfter: ResumeToken } | { readonly startAtOperationTime: Timestamp };

/** The changes that one command of the database returned, and the position after them. */
export interface Batch {
  /** As BSON, for {@link changeIn}: decoding thousands at once would keep the calls of this process waiting. */
  readonly changes: readonly Uint8Array[];
  readonly token: ResumeToken;
  /** Whether there may be more already. */
  readonly isFull: boolean;
}

/** How long the database waits for a first change, in milliseconds: the least, as a write to any database ends the wait of every stream. */
const AWAIT_MS = 1;
const BATCH_MAX_CHANGES = 2_000;
/** The collection of the cursors of pipelines that read a whole database. */
const WHOLE_DATABASE = '$cmd.aggregate';

/**
 * The changes of a database that a majority has acknowledged, a batch at a time. The driver's own change stream shows single
 * changes, not the batches in which they arrive, and resumes by itself; `ChangeStream` returns each batch whole, and every failure ends it.
 */
export class ChangeStream {
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #cursor: Long;
  /** Whether the oplog may have much that the stream has not read. */
  #isBehind = true;

  private constructor(db: Db, session: ClientSession, cursor: Long) {
    this.#db = db;
    this.#session = session;
    this.#cursor = cursor;
  }

  /** Opens a stream; rejects with an error that `isHistoryLost` recognizes when the oplog no longer reaches back to its beginning. */
  static async open(db: Db, followed: readonly Followed[], beginning: Beginning): Promise<ChangeStream> {
    const $changeStream = { ...beginning, ...(hasUpdates(followed) && { fullDocument: 'updateLookup' }) };
    const session = db.client.startSession({ causalConsistency: false });
    try {
      const { cursor } = await db.command(
        {
          aggregate: 1,
          pipeline: [{ $changeStream }, ...pipelineOf(followed)],
          cursor: { batchSize: 0 },
          ...within(inBackground),
        },
        { session },
      );
      return new ChangeStream(db, session, Long.fromValue(cursor.id));
    } catch (error) {
      await session.endSession();
      throw error;
    }
  }

  /** The next changes; none when there are none now. Rejects when the signal aborts. */
  async next(signal: AbortSignal): Promise<Batch> {
    const command = {
      getMore: this.#cursor,
      collection: WHOLE_DATABASE,
      batchSize: BATCH_MAX_CHANGES,
      maxTimeMS: AWAIT_MS,
    };
    // The database answers at a change or at the end of the oplog, however many writes to other databases it has to pass before.
    const { cursor } = await this.#db.command(this.#isBehind ? untilAnswered(command) : command, {
      session: this.#session,
      fieldsAsRaw: { nextBatch: true },
      signal,
    });
    if (Long.fromValue(cursor.id).isZero()) throw new Error('the database ended the change stream');
    const changes: Uint8Array[] = cursor.nextBatch;
    const isFull = changes.length >= BATCH_MAX_CHANGES;
    this.#isBehind &&= isFull;
    return { changes, token: cursor.postBatchResumeToken, isFull };
  }

  /** Ends the stream, when no `next` is under way. */
  async close(): Promise<void> {
    const killed = { killCursors: WHOLE_DATABASE, cursors: [this.#cursor], ...within(inBackground) };
    await this.#db.command(killed).catch(() => {});
    await this.#session.endSession();
  }
}

/** The change that a batch has as BSON. */
export function changeIn(bson: Uint8Array): DatabaseChange {
  return BSON.deserialize(bson) as DatabaseChange;
}

/** InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost. */
const historyLost: ReadonlySet<unknown> = new Set([260, 280, 286]);

/** Whether a stream cannot begin or go on because the oplog does not have its position. */
export function isHistoryLost(error: unknown): boolean {
  return error instanceof MongoServerError && historyLost.has(error.code);
}
