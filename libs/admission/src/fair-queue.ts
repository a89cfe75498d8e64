import type { FairnessKey } from './fairness-key.ts';

/**
 * A round-robin queue: one Workspace after the other, in each one caller after the other, and of a caller the item that
 * waits longest (Nagle, "On Packet Switches with Infinite Storage", RFC 970). So a caller's wait depends on how many others
 * wait, and not on how much they sent.
 */
export class FairQueue<Item> {
  readonly #workspaces: Row<Row<Item[]>> = new Map();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add({ workspace, caller }: FairnessKey, item: Item): void {
    const callers = entryOf(this.#workspaces, workspace, (): Row<Item[]> => new Map());
    entryOf(callers, caller, (): Item[] => []).push(item);
    this.#length++;
  }

  /** Whether an item of such a fairness key waits. */
  has(isWanted: (fairnessKey: FairnessKey) => boolean): boolean {
    return this.#workspaces
      .entries()
      .some(([workspace, callers]) => callers.keys().some((caller) => isWanted({ workspace, caller })));
  }

  /** Takes out the first item whose fairness key may go; undefined when none may. */
  next(mayGo: (fairnessKey: FairnessKey) => boolean): Item | undefined {
    for (const [workspace, callers] of this.#workspaces) {
      for (const [caller, items] of callers) {
        if (!mayGo({ workspace, caller })) continue;
        const item = items.shift()!;
        this.#length--;
        rotate(callers, caller, items.length > 0);
        rotate(this.#workspaces, workspace, callers.size > 0);
        return item;
      }
    }
    return undefined;
  }

  /** Takes out all unwanted items, in no particular order. */
  remove(isUnwanted: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [workspace, callers] of this.#workspaces) {
      for (const [caller, items] of callers) {
        const kept: Item[] = [];
        for (const item of items) (isUnwanted(item) ? removed : kept).push(item);
        if (kept.length === 0) callers.delete(caller);
        else if (kept.length < items.length) callers.set(caller, kept);
      }
      if (callers.size === 0) this.#workspaces.delete(workspace);
    }
    this.#length -= removed.length;
    return removed;
  }
}

/** The next to be served comes first: a Map keeps the order of insertion. */
type Row<Value> = Map<string, Value>;

/** Moves the key to the end of the row when it has more, and removes it otherwise. */
function rotate<Value>(row: Row<Value>, key: string, hasMore: boolean): void {
  const value = row.get(key)!;
  row.delete(key);
  if (hasMore) row.set(key, value);
}

function entryOf<Value>(row: Row<Value>, key: string, create: () => Value): Value {
  let value = row.get(key);
  if (value === undefined) {
    value = create();
    row.set(key, value);
  }
  return value;
}
