import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import type { Db } from 'mongodb';
import type { Files } from '../files/files.ts';
import type { FollowedSource } from '../files/followed-source.ts';
import { Bucket, type BucketConfig, BucketUnlisted } from './bucket.ts';
import { passOver } from './pass.ts';
import { type Condition, SourceState, type Turn, TurnLost } from './source-state.ts';

/** The interval at which a replica looks whether a pass is due, in milliseconds. */
const LOOK_EVERY_MS = 1000;
/** The longest pause after a failed pass, in milliseconds. */
const RETRY_MS = 30_000;
/** The condition of a bucket without any object. */
const EMPTY = 'empty';

interface S3SourceParts {
  readonly bucket: Bucket;
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
  const [bucket, state] = await Promise.all([Bucket.open(config), SourceState.open(db)]);
  return new S3Source({ bucket, state, files, log, rescanMs: config.FILES_S3_RESCAN_SECONDS * 1000 });
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
      await this.#look().catch((error: unknown) =>
        this.#note({ ...this.#condition, kept: codeOf(error) }, error),
      );
      const rest = AbortSignal.any([signal, this.#requested.signal]);
      await pause(LOOK_EVERY_MS, undefined, { signal: rest }).catch(() => {});
    }
  }

  /** Makes the pass that is due, or reads what the last one found. */
  async #look(): Promise<void> {
    const { state, rescanMs } = this.#parts;
    const turn = await state.take();
    if (turn === undefined) return this.#note(await state.read());
    try {
      const { leftOut, foundNothing, isComplete } = await inSpan('files refresh', { root: true }, () =>
        this.#pass(turn),
      );
      const kept = foundNothing && (await this.#keepsFiles()) ? EMPTY : undefined;
      await this.#end(turn, { kept, left_out: leftOut }, isComplete ? rescanMs : 0);
    } catch (error) {
      if (error instanceof TurnLost) return;
      const isStopping = this.#stopping.signal.aborted;
      const found = isStopping ? turn.before : { ...turn.before, kept: codeOf(error) };
      await this.#end(turn, found, isStopping ? 0 : Math.min(rescanMs, RETRY_MS), error);
    }
  }

  async #pass({ before, confirm }: Turn) {
    const { bucket, files } = this.#parts;
    const { signal } = this.#stopping;
    return await passOver(bucket, files, { mayEmpty: before.kept === EMPTY, confirm, signal });
  }

  async #keepsFiles(): Promise<boolean> {
    return await this.#parts.files.hasAny('s3');
  }

  async #end(turn: Turn, found: Condition, pauseMs: number, error?: unknown): Promise<void> {
    await turn.end(found, pauseMs);
    this.#note(found, error);
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

/** The code of a failed pass, for logs. */
function codeOf(error: unknown): string {
  if (error instanceof BucketUnlisted) return error.code;
  return error instanceof Error ? error.name : 'UnknownError';
}
