import type { PublishedEntry } from '@action-platform/contracts/audit';

/** Makes the entry of a call; undefined for a caller without a Workspace. */
export type MakeEntry = () => PublishedEntry | undefined;

/** The equal calls so far, and the entry of the first that has none of its own. */
interface Shared {
  calls: number;
  entry: PublishedEntry | undefined;
}

/** How many kinds of equal calls are counted at once. */
const MOST_KINDS = 10_000;

/** Counts equal calls of a caller: the first ones have an entry each, all others share one. */
export class EqualCalls {
  readonly #alone: number;
  readonly #callers = new Map<string, Map<string, Shared>>();
  #kinds = 0;

  /** @param alone how many equal calls have an entry each. */
  constructor(alone: number) {
    this.#alone = alone;
  }

  /** Whether `EqualCalls` can count no further kind of calls: {@link end} makes room. */
  get isFull(): boolean {
    return this.#kinds >= MOST_KINDS;
  }

  /** Counts a call; true when it has an entry of its own. */
  count(caller: string, kind: string, make: MakeEntry): boolean {
    const shared = this.#sharedBy(caller, kind);
    shared.calls++;
    if (shared.calls <= this.#alone) return true;
    shared.entry ??= make();
    return false;
  }

  /** Ends the counting, and returns the shared entries. */
  end(): PublishedEntry[] {
    const entries: PublishedEntry[] = [];
    for (const kinds of this.#callers.values()) {
      for (const { calls, entry } of kinds.values()) {
        if (entry !== undefined) entries.push({ ...entry, count: calls - this.#alone });
      }
    }
    this.#callers.clear();
    this.#kinds = 0;
    return entries;
  }

  #sharedBy(caller: string, kind: string): Shared {
    const kinds = this.#callers.getOrInsertComputed(caller, () => new Map());
    return kinds.getOrInsertComputed(kind, () => {
      this.#kinds++;
      return { calls: 0, entry: undefined };
    });
  }
}
