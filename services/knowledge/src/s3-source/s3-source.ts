import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import type { Db } from 'mongodb';
import type { Files } from '../files/files.ts';
import type { FollowedSource } from '../files/followed-source.ts';
import { type BucketConfig, type BucketKeys, BucketUnlisted, openBucket } from './bucket.ts';
import { passOver } from './pass.ts';
import { SourceState, TurnLost } from './source-state.ts';
import type { Condition } from './stored-source.ts';

/** The interval at which a replica looks whether a pass is due, in milliseconds. */
const LOOK_EVERY_MS = 1000;
/** The longest pause after a failed pass, in milliseconds. */
const RETRY_MS = 30_000;
/** Why the listing is kept after a pass that found no file. */
const EMPTY = 'empty';

interface S3SourceParts {
  readonly keys: BucketKeys;
  readonly state: SourceState;
  readonly files: Files;
  /** The pause between two passes. */
  readonly rescanMs: number;
  readonly log: Logger;
}

/** Opens the source of a bucket; it does not connect yet. @throws WrongConfiguration */
export async function openS3Source(
  config: BucketConfig & { readonly FILES_S3_RESCAN_SECONDS: number },
  { files, db, log }: { readonly files: Files; readonly db: Db; readonly log: Logger },
): Promise<FollowedSource> {
  const [keys, state] = await Promise.all([openBucket(config), SourceState.open(db)]);
  return new S3Source({ keys, state, files, log, rescanMs: config.FILES_S3_RESCAN_SECONDS * 1000 });
}

/**
 * Keeps the listing of a bucket's files up to date by passes over the whole bucket. One replica makes each pass; all others read its
 * result, so that every log, metric and status shows it. The listing stays unchanged while the bucket cannot be listed, and when
 * a pass finds no file at all, until the next one agrees.
 */
class S3Source implements FollowedSource {
  readonly kind = 's3';
  readonly variable = 'FILES_S3_BUCKET';
  readonly #parts: S3SourceParts;
  readonly #stopping = new AbortController();
  #condition: Condition = { left_out: 0 };
  #requested = new AbortController();
  #done: Promise<void> | undefined;

  constructor(parts: S3SourceParts) {
    this.#parts = parts;
  }

  get isListingKept(): boolean {
    return this.#condition.kept !== undefined;
  }

  start(): void {
    this.#done = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async refresh(): Promise<void> {
    await this.#parts.state.makeDue();
    this.#requested.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#requested = new AbortController();
      await this.#look().catch((error: unknown) => this.#note(failed(this.#condition, error), error));
      const rest = AbortSignal.any([signal, this.#requested.signal]);
      await pause(LOOK_EVERY_MS, undefined, { signal: rest }).catch(() => {});
    }
  }

  /** Makes the pass that is due, or reads what the last one found. */
  async #look(): Promise<void> {
    const { keys, state, files, rescanMs } = this.#parts;
    const { signal } = this.#stopping;
    const turn = await state.take();
    if (turn === undefined) return this.#note(await state.read());
    const { before, confirm } = turn;
    try {
      const { leftOut, foundNothing, isComplete } = await inSpan('files refresh', { root: true }, () =>
        passOver(keys(signal), files, { mayEmpty: before.kept === EMPTY, confirm }),
      );
      const kept = foundNothing && (await files.hasAny('s3')) ? EMPTY : undefined;
      const found = { kept, left_out: leftOut };
      await turn.end(found, isComplete ? rescanMs : 0);
      this.#note(found);
    } catch (error) {
      if (error instanceof TurnLost) return;
      if (signal.aborted) return await turn.end(before, 0);
      const found = failed(before, error);
      await turn.end(found, Math.min(rescanMs, RETRY_MS));
      this.#note(found, error);
    }
  }

  /** Logs what has changed, one line for each change. */
  #note(found: Condition, error?: unknown): void {
    const { log } = this.#parts;
    const before = this.#condition;
    this.#condition = found;
    const { kept, left_out: count } = found;
    if (count !== before.left_out)
      log.info({ count }, 'keys of FILES_S3_BUCKET name no visible file and are not listed');
    if (kept === before.kept) return;
    if (kept === undefined) log.info('FILES_S3_BUCKET is followed again');
    else if (kept === EMPTY)
      log.warn('FILES_S3_BUCKET holds no file; the listing is kept until the next scan finds none either');
    else {
      const cause = error === undefined || error instanceof BucketUnlisted ? {} : { err: error };
      log.warn({ code: kept, ...cause }, 'FILES_S3_BUCKET cannot be listed; the listing is kept');
    }
  }
}

/** The condition after a failed pass. */
function failed(before: Condition, error: unknown): Condition {
  const { name } = error as Error;
  return { ...before, kept: error instanceof BucketUnlisted ? error.code : name };
}
