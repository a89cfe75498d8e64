import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@action-platform/bus';
import { storedEvent } from '@action-platform/contracts/bus';
import { LRUCache } from 'lru-cache';

/** How many Workspaces have a last known event. */
const REMEMBERED = 10_000;
/**
 * How long after an event was stored a reader may get a page without it, or the news of an earlier one may arrive, in milliseconds. What
 * was stored before then says nothing: a stream that JetStream lost begins again at 1.
 */
const SETTLED_MS = 1_000;
/** The least interval between two pages of one reader, in milliseconds: many events in a moment become one page. */
const INTERVAL_MS = 200;

/** An event that was stored, and when that became known, in milliseconds of `performance.now()`. */
interface Stored {
  readonly sequence: number;
  readonly at: number;
}

/** The last page of a reader who waits. */
interface Read {
  readonly workspaceId: string;
  /** The sequence of the stream up to which the reader has read. */
  readonly end: number;
  /** When it asked for the page, in milliseconds of `performance.now()`. */
  readonly askedAt: number;
}

/**
 * Lets readers of change events wait in this process. The services that publish events name the Workspaces (`storedEvent`), so a
 * reader costs no request while it waits.
 */
export class Notifier {
  readonly #last = new LRUCache<string, Stored>({ max: REMEMBERED });
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Ends every wait. */
  readonly leaving: AbortSignal;

  constructor(bus: Bus, leaving: AbortSignal) {
    this.leaving = leaving;
    bus.subscribe(storedEvent, ({ stored }) => {
      for (const { workspace_id, sequence } of stored) this.#take(workspace_id, sequence);
    });
    leaving.addEventListener('abort', () => {
      for (const readers of this.#waiting.values()) for (const notify of readers) notify();
    });
  }

  /** Waits until the Workspace has an event after the last page, at most some milliseconds, and while the reader's exchange lasts. */
  async after({ workspaceId, end, askedAt }: Read, mostMs: number, ended: AbortSignal): Promise<void> {
    const last = this.#last.get(workspaceId);
    const hasNews = last !== undefined && last.sequence > end && last.at > askedAt - SETTLED_MS;
    if (!hasNews && !this.leaving.aborted && !ended.aborted) await this.#wait(workspaceId, mostMs, ended);
    const early = askedAt + INTERVAL_MS - performance.now();
    if (early > 0) await delay(early);
  }

  async #wait(workspaceId: string, mostMs: number, ended: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const notify = () => resolve();
    const readers = this.#waiting.get(workspaceId) ?? new Set();
    this.#waiting.set(workspaceId, readers.add(notify));
    const timer = setTimeout(notify, mostMs);
    ended.addEventListener('abort', notify);
    await promise;
    ended.removeEventListener('abort', notify);
    clearTimeout(timer);
    readers.delete(notify);
    if (readers.size === 0 && this.#waiting.get(workspaceId) === readers) this.#waiting.delete(workspaceId);
  }

  #take(workspaceId: string, sequence: number): void {
    const at = performance.now();
    const last = this.#last.get(workspaceId);
    if (last === undefined || sequence > last.sequence || at - last.at > SETTLED_MS)
      this.#last.set(workspaceId, { sequence, at });
    for (const notify of this.#waiting.get(workspaceId) ?? []) notify();
  }
}
