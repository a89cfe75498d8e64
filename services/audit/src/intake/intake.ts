import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, callService, readOn, type StoredMessage, type StreamProgress } from '@action-platform/bus';
import { AUDIT, EVENTS, grantedData, inBackground } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { Appender } from '../blocks/append.ts';
import type { SourcedEntry } from '../blocks/link.ts';
import type { Chains } from '../blocks/stored-block.ts';
import { callIdOf, callTerm } from '../blocks/terms.ts';
import { type ChangedBy, changesByCall, entryOfChanges } from './event-entries.ts';
import { KnownCalls } from './known-calls.ts';
import type { Progress } from './progress.ts';
import { publishedEntries } from './published-entries.ts';

/** The pause before the streams are read again, in milliseconds: entries that arrive meanwhile share a block. */
const PAUSE_MS = 1_000;
/** The pause after a failure, and while another replica has the lease, in milliseconds. */
const LONG_PAUSE_MS = 2_000;
/** How many messages are read at once. */
const READ = { limit: 32 };
/** How long grants may take to name a grant, in milliseconds. */
const LOOK_UP_MS = 5_000;
/** How many calls are looked up at once. */
const LOOKED_UP = 500;

interface IntakeOptions {
  readonly bus: Bus;
  readonly log: Logger;
  readonly chains: Chains;
  readonly appender: Appender;
  readonly progress: Progress;
  /** How long a change waits for the entry of its call, in milliseconds. */
  readonly windowMs: number;
}

/**
 * Stores what the streams bring, in one replica at a time: the entries of calls, and an entry for each call that changed something
 * and has none. It reads changes late, and only up to the time for which it has all entries: a gateway sends an entry again until it
 * is stored.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #stopping = new AbortController();
  readonly #known = new KnownCalls();
  #ended: Promise<void> | undefined;
  /** All older entries are stored; undefined while another replica has the lease. */
  #storedUpTo: number | undefined = Date.now();
  /** When the next change is due. */
  #nextChangeAt = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    gauge(
      'audit.intake.lag',
      () => (this.#storedUpTo === undefined ? 0 : Date.now() - this.#storedUpTo) / 1000,
    );
  }

  start(): void {
    this.#ended = this.#run();
  }

  /** Ends it after the messages under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    await this.#options.progress.end().catch(() => {});
  }

  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#stopping.signal.aborted) {
      const poll = this.#poll().then((pauseMs) => {
        isFailing = false;
        return pauseMs;
      });
      const pauseMs = await poll.catch((err: unknown) => {
        this.#options.progress.forget();
        if (!isFailing)
          this.#options.log.warn({ err }, 'the streams of the audit log cannot be read; trying again');
        isFailing = true;
        return LONG_PAUSE_MS;
      });
      await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  /** Reads both streams once. @returns the pause until the next poll */
  async #poll(): Promise<number> {
    const begunAt = Date.now();
    const { progress } = this.#options;
    const held = await progress.hold();
    if (held === undefined) {
      this.#storedUpTo = undefined;
      return LONG_PAUSE_MS;
    }
    const isAtEnd = await this.#takeEntries(held.AUDIT);
    if (!isAtEnd) return 0;
    const dueBefore = begunAt - this.#options.windowMs;
    const isMore = dueBefore >= this.#nextChangeAt && (await this.#takeChanges(held.EVENTS, dueBefore));
    this.#storedUpTo = begunAt;
    return isMore ? 0 : PAUSE_MS;
  }

  /** Stores the next entries. @returns whether there were no more */
  async #takeEntries(read: StreamProgress | undefined): Promise<boolean> {
    const { bus, log, appender, progress } = this.#options;
    const { messages, isAtEnd, before } = await readOn(bus.streams, AUDIT, read, READ);
    const last = messages.at(-1);
    if (last === undefined) return isAtEnd;
    this.#storedUpTo = messages[0]!.storedAt.getTime();
    const onMalformed = ({ publisher, sequence }: StoredMessage) =>
      log.error({ publisher, sequence }, 'a message of the audit stream is malformed');
    const entries = publishedEntries(messages, onMalformed);
    await this.#dropAnswered(entries);
    await appender.append(entries);
    for (const [workspaceId, stored] of entries) {
      for (const { entry } of stored) this.#known.add(workspaceId, callIdOf(entry));
    }
    await progress.set({ AUDIT: { ...before, sequence: last.sequence } });
    return isAtEnd;
  }

  /** Drops entries that come so late that their changes have an entry already. */
  async #dropAnswered(byWorkspace: Map<string, SourcedEntry[]>): Promise<void> {
    const late = new Date(Date.now() - this.#options.windowMs / 2).toISOString();
    for (const [workspaceId, entries] of byWorkspace) {
      const isLate = ({ entry }: SourcedEntry) => entry.at < late && entry.count === undefined;
      const sources = entries.filter(isLate).map(({ entry }) => sourceOf(entry));
      if (sources.length === 0) continue;
      const stored = await this.#options.appender.storedAmong(workspaceId, sources);
      const kept = entries.filter((each) => !isLate(each) || !stored.has(sourceOf(each.entry)));
      if (kept.length > 0) byWorkspace.set(workspaceId, kept);
      else byWorkspace.delete(workspaceId);
    }
  }

  /** Stores an entry for each call without one, of the changes stored before this time. @returns whether there may be more */
  async #takeChanges(read: StreamProgress | undefined, dueBefore: number): Promise<boolean> {
    const { bus, appender, progress } = this.#options;
    const { messages, isAtEnd, before } = await readOn(bus.streams, EVENTS, read, READ);
    const due = messages.filter(({ storedAt }) => storedAt.getTime() <= dueBefore);
    const next = messages[due.length];
    this.#nextChangeAt = next === undefined ? 0 : next.storedAt.getTime();
    const last = due.at(-1);
    if (last === undefined) return false;
    const entries = new Map<string, SourcedEntry[]>();
    const calls = await this.#withoutEntry(changesByCall(due));
    const grantNames = await this.#grantNames(calls);
    for (const call of calls) {
      const { workspaceId, ids, events } = call;
      entries.getOrInsert(workspaceId, []).push({
        entry: entryOfChanges(call, grantNames.get(events[0]!.data.actor.grant_id)),
        source: sourceOf(ids),
      });
    }
    await appender.append(entries);
    await progress.set({ EVENTS: { ...before, sequence: last.sequence } });
    return next === undefined && !isAtEnd;
  }

  /** The names of the grants that calls were made with; without that of a grant that is unknown, or while grants does not answer. */
  async #grantNames(
    calls: readonly ChangedBy[],
  ): Promise<ReadonlyMap<string | undefined, string | null | undefined>> {
    const ids = new Set(calls.map(({ events }) => events[0]!.data.actor.grant_id));
    const names = [...ids].map(async (grantId) => {
      if (grantId === undefined) return [grantId, undefined] as const;
      const asked = callService(this.#options.bus, grantedData, { grantId }, { timeoutMs: LOOK_UP_MS });
      return [grantId, (await asked.catch(() => undefined))?.name] as const;
    });
    return new Map(await Promise.all(names));
  }

  /** The calls without an entry. */
  async #withoutEntry(calls: readonly ChangedBy[]): Promise<ChangedBy[]> {
    const missing: ChangedBy[] = [];
    const unknown = calls.filter(({ workspaceId, ids }) => !this.#known.has(workspaceId, callIdOf(ids)));
    for (const [workspace_id, all] of Map.groupBy(unknown, ({ workspaceId }) => workspaceId)) {
      for (let at = 0; at < all.length; at += LOOKED_UP) {
        const some = all.slice(at, at + LOOKED_UP);
        const terms = some.map(({ ids }) => callTerm(ids));
        const found = await this.#options.chains.blocks
          .find({ workspace_id, terms: { $in: terms } }, within(inBackground))
          .project<{ terms: string[] }>({ _id: 0, terms: 1 })
          .toArray();
        const known = new Set(found.flatMap((block) => block.terms));
        missing.push(...some.filter((_call, index) => !known.has(terms[index]!)));
      }
    }
    return missing;
  }
}

/** The source of the entry that a call has from its changes: it has one. */
function sourceOf(ids: Parameters<typeof callIdOf>[0]): string {
  return `change ${callIdOf(ids)}`;
}
