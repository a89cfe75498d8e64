import { setTimeout as pause } from 'node:timers/promises';
import { failureLevel } from '@action-platform/contracts/errors';
import type { Logger } from '@action-platform/service-host';
import { inSpan } from '@action-platform/telemetry';
import type { Files } from '../files/files.ts';
import type { SourceKind } from '../files/stored-file.ts';
import { type FileSource, SourceUnlisted } from './file-source.ts';
import { passOver } from './pass.ts';
import {
  CONFIRM_EVERY_MS,
  type Condition,
  type LeasedPass,
  LeaseLost,
  type SourceState,
} from './source-state.ts';

/** The pause of a replica before it looks whether a pass that was due has ended, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;
/** The longest pause of a replica that knows when the next pass is due, in milliseconds: an operator may have requested an earlier one. */
const LONGEST_PAUSE_MS = 5_000;
/** The longest pause after a failed pass, in milliseconds. */
const RETRY_MS = 30_000;
/** Why the listing is kept after a pass that found nothing of it. */
const EMPTIED = 'emptied';

interface FollowedSourceParts {
  /** Marks its files in the database. */
  readonly kind: SourceKind;
  /** The variable that configures it, as a name for operators. */
  readonly variable: string;
  readonly source: FileSource;
  readonly state: SourceState;
  readonly files: Files;
  /** The pause between two passes. */
  readonly rescanMs: number;
  readonly log: Logger;
}

/**
 * Keeps the listing of a source's files up to date by passes over all of them. One replica makes each pass; all other replicas read its
 * result, so that every log, metric and status shows it. The listing stays unchanged while the source cannot be listed, and while it looks
 * emptied.
 */
export class FollowedSource {
  readonly #parts: FollowedSourceParts;
  readonly #stopping = new AbortController();
  #condition: Condition = { left_out: 0 };
  #requested = new AbortController();
  #done: Promise<void> | undefined;

  constructor(parts: FollowedSourceParts) {
    this.#parts = parts;
  }

  get kind(): SourceKind {
    return this.#parts.kind;
  }

  get source(): FileSource {
    return this.#parts.source;
  }

  get variable(): string {
    return this.#parts.variable;
  }

  /** Whether the listing stays unchanged, because the source cannot be listed or was emptied. */
  get isListingKept(): boolean {
    return this.#condition.kept !== undefined;
  }

  /** Begins to follow the source, in the background. */
  start(): void {
    this.#done = this.#follow();
  }

  /** Stops following it; resolves when no work is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  /** Requests a pass over all its files, which begins soon. */
  async refresh(): Promise<void> {
    await this.#parts.state.makeDue();
    this.#requested.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#requested = new AbortController();
      const dueInMs = await this.#look().catch((error: unknown) => {
        this.#note(failed(this.#condition, error), error);
        return 0;
      });
      const pauseMs = dueInMs > 0 ? Math.min(dueInMs, LONGEST_PAUSE_MS) : LOOK_AGAIN_MS;
      const endPause = AbortSignal.any([signal, this.#requested.signal]);
      await pause(pauseMs, undefined, { signal: endPause }).catch(() => {});
    }
  }

  /** Makes the pass that is due, or reads what the last one found. Returns in how many milliseconds the next one was due then. */
  async #look(): Promise<number> {
    const { state } = this.#parts;
    const { condition, dueInMs } = await state.read();
    const pass = dueInMs <= 0 ? await state.take() : undefined;
    if (pass === undefined) this.#note(condition);
    else await this.#make(pass);
    return dueInMs;
  }

  async #make(pass: LeasedPass): Promise<void> {
    const { kind, source, files, rescanMs, log } = this.#parts;
    const { signal } = this.#stopping;
    const { before, confirm } = pass;
    const isSuspect = before.kept !== undefined;
    // A pass may read for longer than its lease. The next change, or the end of the pass, finds a lease that was lost.
    const confirming = setInterval(() => void confirm().catch(() => {}), CONFIRM_EVERY_MS);
    try {
      const {
        isEmptied,
        leftOut,
        isComplete,
        failed: failedGroups,
      } = await inSpan('files refresh', { root: true }, () =>
        passOver(source, files, { kind, isSuspect, confirm, signal }),
      );
      const found = isEmptied ? { ...before, kept: EMPTIED } : { left_out: leftOut };
      for (const { group, error: err } of failedGroups)
        log[failureLevel(err)](
          { err, ...group },
          'the listing of a group of files cannot be changed; trying again',
        );
      const pauseMs = failedGroups.length === 0 ? rescanMs : Math.min(rescanMs, RETRY_MS);
      if (await pass.end(found, isComplete ? pauseMs : 0)) this.#note(found);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      if (signal.aborted) return void (await pass.end(before, 0));
      const found = failed(before, error);
      if (await pass.end(found, Math.min(rescanMs, RETRY_MS))) this.#note(found, error);
    } finally {
      clearInterval(confirming);
    }
  }

  /** Logs what has changed, one line for each change. */
  #note(found: Condition, error?: unknown): void {
    const { log, variable } = this.#parts;
    const before = this.#condition;
    this.#condition = found;
    const { kept, left_out: count } = found;
    if (count !== before.left_out)
      log.info({ count }, `keys of ${variable} name no visible file, or cannot be read, and are not listed`);
    if (kept === before.kept) return;
    if (kept === undefined) log.info(`${variable} is followed again`);
    else if (kept === EMPTIED)
      log.warn(
        `${variable} holds none of the listed files; the listing is kept until they are back. ` +
          'If it was emptied on purpose: admin files forget',
      );
    else {
      const cause = error === undefined || error instanceof SourceUnlisted ? {} : { err: error };
      log[error === undefined ? 'warn' : failureLevel(error)](
        { code: kept, ...cause },
        `${variable} cannot be listed; the listing is kept`,
      );
    }
  }
}

/** The condition after a failed pass. */
function failed(before: Condition, error: unknown): Condition {
  const { name } = error as Error;
  return { ...before, kept: error instanceof SourceUnlisted ? error.code : name };
}
