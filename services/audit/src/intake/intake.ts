import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, callService, readOn, type StoredMessage, type StreamProgress } from '@action-platform/bus';
import { AUDIT, EVENTS } from '@action-platform/contracts/bus';
import { grantedData } from '@action-platform/contracts/calls';
import { failureLevel, reportDefect } from '@action-platform/contracts/errors';
import { type Rounds, togetherOrAlone } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import { counts, gauge } from '@action-platform/telemetry';
import type { Appender } from '../blocks/append.ts';
import type { SourcedEntry } from '../blocks/link.ts';
import type { Chains } from '../blocks/stored-block.ts';
import { callIdOf } from '../blocks/terms.ts';
import { type ChangedBy, changesByCall, entryOfChanges, keyOf } from './event-entries.ts';
import { KnownCalls } from './known-calls.ts';
import type { Progress } from './progress.ts';
import { publishedEntries } from './published-entries.ts';
import { isOfChanges, sourceOfChanges, withoutAnswered, withoutEntry } from './same-call.ts';
import type { SetAside } from './set-aside.ts';

const busy = counts('work.busy');

/** How many groups of Workspaces are appended at the same time: MongoDB works on a command with one processor. */
const GROUPS = 4;
/** The pause before the streams are read again, in milliseconds: entries that arrive meanwhile share a block. */
const PAUSE_MS = 1_000;
/** The pause after a failure, and while another replica has the lease, in milliseconds. */
const LONG_PAUSE_MS = 2_000;
/** The most messages of a read, and about the most bytes; `FEW` messages of changes, unless all of the last read were due. */
const READ = { limit: 500, maxBytes: 2 * 1024 * 1024 };
const FEW = 32;
/** How many reads look for later changes of calls without an entry: enough for a call of some seconds, and few beside the lease. */
const LATER_READS = 4;
/** In how many Workspaces calls are looked up at once. */
const LOOK_UPS = 32;
/** How long grants may take to name a grant, in milliseconds. */
const LOOK_UP_MS = 5_000;

interface IntakeOptions {
  readonly bus: Bus;
  readonly log: Logger;
  readonly chains: Chains;
  readonly appender: Appender;
  readonly setAside: SetAside;
  readonly progress: Progress;
  /** How long a change waits for the entry of its call, in milliseconds. */
  readonly windowMs: number;
}

/**
 * Stores what the streams bring, in one replica at a time: the entries of calls, and an entry for each call that changed something and has
 * none. `Intake` reads changes late, and only up to the time for which it has all entries: a gateway sends an entry again until it is
 * stored.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #stopping = new AbortController();
  readonly #known = new KnownCalls();
  #ended: Promise<void> | undefined;
  #late: Rounds | undefined;
  /** The time up to which all entries are stored; undefined while another replica has the lease. */
  #storedUpTo: number | undefined = Date.now();
  /** Whether every change of the last read was due, and there are more. */
  #areChangesLate = false;
  /** When the next change is due. */
  #nextChangeAt = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    gauge('audit.intake.lag', () => {
      const since = [this.#storedUpTo, options.setAside.oldest?.getTime()];
      return Math.max(...since.map((time) => (time === undefined ? 0 : Date.now() - time))) / 1000;
    });
  }

  start(): void {
    const { log, setAside } = this.#options;
    const late = {
      log,
      append: (workspaceId: string, entries: readonly SourcedEntry[]) =>
        this.#appendLate(workspaceId, entries),
      isSameKind: (source: string, other: string) => isOfChanges(source) === isOfChanges(other),
    };
    this.#ended = this.#run();
    this.#late = setAside.start(late);
  }

  /** Ends it after the messages under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#ended, this.#late?.stop()]);
    const { log, progress } = this.#options;
    await progress.end().catch(reportDefect(log, 'the lease of the streams was not given back'));
  }

  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#stopping.signal.aborted) {
      const begunAt = performance.now();
      const poll = this.#poll().then((pauseMs) => {
        isFailing = false;
        busy((performance.now() - begunAt) / 1000, { 'work.name': 'audit_intake' });
        return pauseMs;
      });
      const pauseMs = await poll.catch((err: unknown) => {
        this.#options.progress.forget();
        if (!isFailing)
          this.#options.log[failureLevel(err)](
            { err },
            'the streams of the audit log cannot be read; trying again',
          );
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
    const held = await progress.take();
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
    const { bus, log, appender, progress, windowMs } = this.#options;
    const { messages, isAtEnd, before } = await readOn(bus.streams, AUDIT, read, READ);
    const last = messages.at(-1);
    if (last === undefined) return isAtEnd;
    this.#storedUpTo = messages[0]!.storedAt.getTime();
    const onMalformed = ({ publisher, sequence }: StoredMessage) =>
      log.error({ publisher, sequence }, 'a message of the audit stream is malformed');
    const entries: Map<string, readonly SourcedEntry[]> = publishedEntries(messages, onMalformed);
    const lateSince = lateBefore(windowMs);
    await lookUpEach([...entries], async ([workspaceId, published]) => {
      const kept = await withoutAnswered(appender, workspaceId, published, lateSince);
      if (kept.length > 0) entries.set(workspaceId, kept);
      else entries.delete(workspaceId);
    });
    await this.#append(entries);
    for (const [workspaceId, stored] of entries) {
      for (const { entry } of stored) this.#known.add(workspaceId, callIdOf(entry));
    }
    await progress.set({ AUDIT: { ...before, sequence: last.sequence } });
    return isAtEnd;
  }

  /** Appends entries, by Workspace. The intake sets aside entries that their chain does not take, so that no other Workspace waits. */
  async #append(byWorkspace: ReadonlyMap<string, readonly SourcedEntry[]>): Promise<void> {
    if (byWorkspace.size === 0) return;
    const { log, appender, setAside } = this.#options;
    const stalled = await setAside.stalledAmong([...byWorkspace.keys()]);
    const ready = [...byWorkspace].filter(([workspaceId]) => !stalled.has(workspaceId));
    const failed = await togetherOrAlone(ready, (some) => appender.append(new Map(some)), GROUPS);
    for (const [[workspace_id], err] of failed)
      log.error({ err, workspace_id }, 'the audit log of a Workspace takes no entries; they are set aside');
    const waiting = [...byWorkspace].filter(([workspaceId]) => stalled.has(workspaceId));
    for (const [workspaceId, entries] of [...waiting, ...failed.keys()])
      await setAside.add(workspaceId, entries);
  }

  /** Appends entries that were set aside, unless their calls have others meanwhile. */
  async #appendLate(workspaceId: string, entries: readonly SourcedEntry[]): Promise<void> {
    const { appender, chains, windowMs } = this.#options;
    const kept = isOfChanges(entries[0]!.source)
      ? await withoutEntry(chains, workspaceId, entries, ({ entry }) => entry)
      : await withoutAnswered(appender, workspaceId, entries, lateBefore(windowMs));
    if (kept.length > 0) await appender.append(new Map([[workspaceId, kept]]));
  }

  /** Stores an entry for each call without one, of the changes stored before this time. @returns whether there may be more */
  async #takeChanges(read: StreamProgress | undefined, dueBefore: number): Promise<boolean> {
    const { bus, progress } = this.#options;
    const limits = this.#areChangesLate ? READ : { ...READ, limit: FEW };
    const { messages, isAtEnd, before } = await readOn(bus.streams, EVENTS, read, limits);
    const due = messages.filter(({ storedAt }) => storedAt.getTime() <= dueBefore);
    const next = messages[due.length];
    this.#nextChangeAt = next === undefined ? 0 : next.storedAt.getTime();
    this.#areChangesLate = next === undefined && !isAtEnd;
    const last = due.at(-1);
    if (last === undefined) return false;
    const entries = new Map<string, SourcedEntry[]>();
    const calls = await this.#withoutEntry([...changesByCall(due).values()]);
    await this.#addLaterChanges(calls, { ...before, sequence: last.sequence }, last.storedAt);
    const grantNames = await this.#grantNames(calls);
    for (const call of calls) {
      const { workspaceId, ids, events } = call;
      entries.getOrInsert(workspaceId, []).push({
        entry: entryOfChanges(call, grantNames.get(events[0]!.data.actor.grant_id)),
        source: sourceOfChanges(ids),
      });
    }
    await this.#append(entries);
    await progress.set({ EVENTS: { ...before, sequence: last.sequence } });
    return this.#areChangesLate;
  }

  /** Adds the changes that these calls made after the last read: a call with several Records makes them for as long as it may take. */
  async #addLaterChanges(calls: readonly ChangedBy[], read: StreamProgress, readUpTo: Date): Promise<void> {
    const { bus, log, windowMs } = this.#options;
    const until = readUpTo.getTime() + windowMs;
    let from = read;
    for (let reads = calls.length > 0 ? LATER_READS : 0; reads > 0; reads--) {
      const { messages, isAtEnd, isAnother, before } = await readOn(bus.streams, EVENTS, from, READ);
      if (isAnother) return;
      const later = changesByCall(messages);
      for (const call of calls) call.events.push(...(later.get(keyOf(call))?.events ?? []));
      const last = messages.at(-1);
      if (isAtEnd || last === undefined || last.storedAt.getTime() >= until) return;
      from = { ...before, sequence: last.sequence };
      if (reads === 1)
        log.warn({ calls: calls.length }, 'entries of calls without an answer may lack later changes');
    }
  }

  /** The names of the grants that calls were made with; without that of a grant that is unknown, or while grants does not answer. */
  async #grantNames(
    calls: readonly ChangedBy[],
  ): Promise<ReadonlyMap<string | undefined, string | null | undefined>> {
    const ids = new Set(calls.map(({ events }) => events[0]!.data.actor.grant_id));
    const names = [...ids].map(async (grantId) => {
      if (grantId === undefined) return [grantId, undefined] as const;
      const { bus, log } = this.#options;
      const asked = callService(bus, grantedData, { grantId }, { timeoutMs: LOOK_UP_MS });
      const onFailure = reportDefect(log, 'the name of a grant cannot be read', { grant_id: grantId });
      return [grantId, (await asked.catch(onFailure))?.name] as const;
    });
    return new Map(await Promise.all(names));
  }

  /** The calls without an entry. */
  async #withoutEntry(calls: readonly ChangedBy[]): Promise<ChangedBy[]> {
    const unknown = calls.filter(({ workspaceId, ids }) => !this.#known.has(workspaceId, callIdOf(ids)));
    const byWorkspace = [...Map.groupBy(unknown, (call) => call.workspaceId)];
    const missing = await lookUpEach(byWorkspace, ([workspaceId, all]) =>
      withoutEntry(this.#options.chains, workspaceId, all, ({ ids }) => ids),
    );
    return missing.flat();
  }
}

/** The time before which a published entry may come later than that of its changes. */
function lateBefore(windowMs: number): Date {
  return new Date(Date.now() - windowMs / 2);
}

/** The results of a look-up for each item, of which some are under way at once. */
async function lookUpEach<Item, Result>(
  items: readonly Item[],
  lookUp: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += LOOK_UPS)
    results.push(...(await Promise.all(items.slice(at, at + LOOK_UPS).map(lookUp))));
  return results;
}
