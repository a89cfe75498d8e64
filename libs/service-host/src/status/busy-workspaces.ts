import { BUSIEST_MAX } from '@action-platform/contracts/bus';

/** How long a slot gathers, in milliseconds, and how many are kept: together five minutes. */
const SLOT_MS = 60_000;
const SLOTS = 5;
/** The Workspaces of a slot beyond which the slot drops those with the fewest calls, and the Workspaces that the slot then keeps. */
const MOST_COUNTED = 2_000;
const KEPT = 1_000;

/** The calls of a Workspace in a process. */
export interface BusyWorkspace {
  readonly workspace_id: string;
  calls: number;
  refused: number;
  bytes: number;
}

interface Slot {
  readonly since: number;
  /** The processor time of the process at its beginning, in milliseconds. */
  readonly processorMs: number;
  calls: number;
  readonly workspaces: Map<string, BusyWorkspace>;
}

/** The calls of the last five minutes by Workspace, for `admin status --workspaces` and a metric. */
export class BusyWorkspaces {
  readonly #slots: Slot[] = [];

  /** Counts a call; without a Workspace, where that is unknown, among those of the process alone. */
  record(workspaceId: string | undefined, isRefused: boolean, bytes = 0): void {
    const slot = this.#current();
    slot.calls++;
    if (workspaceId === undefined) return;
    let counted = slot.workspaces.get(workspaceId);
    if (counted === undefined) {
      if (slot.workspaces.size >= MOST_COUNTED) forgetQuietest(slot.workspaces);
      counted = { workspace_id: workspaceId, calls: 0, refused: 0, bytes: 0 };
      slot.workspaces.set(workspaceId, counted);
    }
    counted.calls++;
    if (isRefused) counted.refused++;
    counted.bytes += bytes;
  }

  /** The figures of this process, with its busiest Workspaces, and the most refused ones. */
  read() {
    this.#current();
    const [first] = this.#slots as [Slot];
    const all = [...this.#sums().values()];
    const busiest = all.toSorted((one, other) => other.calls - one.calls).slice(0, BUSIEST_MAX);
    const refused = all
      .filter((each) => each.refused > 0)
      .toSorted((one, other) => other.refused - one.refused)
      .slice(0, BUSIEST_MAX);
    return {
      seconds: Math.max(1, (performance.now() - first.since) / 1_000),
      processor_ms: processorMs() - first.processorMs,
      calls: this.#slots.reduce((sum, { calls }) => sum + calls, 0),
      workspaces: [...new Set([...busiest, ...refused])],
    };
  }

  /** The calls a second of the busiest Workspaces, and how many of them were refused. */
  busiest(): { workspaceId: string; calls: number; refused: number }[] {
    const { seconds, workspaces } = this.read();
    return workspaces.slice(0, BUSIEST_MAX).map(({ workspace_id, calls, refused }) => ({
      workspaceId: workspace_id,
      calls: calls / seconds,
      refused: refused / seconds,
    }));
  }

  #sums(): Map<string, BusyWorkspace> {
    const sums = new Map<string, BusyWorkspace>();
    for (const { workspaces } of this.#slots)
      for (const { workspace_id, calls, refused, bytes } of workspaces.values()) {
        const sum = sums.get(workspace_id) ?? { workspace_id, calls: 0, refused: 0, bytes: 0 };
        sum.calls += calls;
        sum.refused += refused;
        sum.bytes += bytes;
        sums.set(workspace_id, sum);
      }
    return sums;
  }

  /** The current slot; older slots are dropped. */
  #current(): Slot {
    const now = performance.now();
    while ((this.#slots[0]?.since ?? now) <= now - SLOTS * SLOT_MS) this.#slots.shift();
    const last = this.#slots.at(-1);
    if (last !== undefined && now < last.since + SLOT_MS) return last;
    const slot = { since: now, processorMs: processorMs(), calls: 0, workspaces: new Map() };
    this.#slots.push(slot);
    return slot;
  }
}

function forgetQuietest(workspaces: Map<string, BusyWorkspace>): void {
  const quietest = [...workspaces.values()].toSorted((one, other) => one.calls - other.calls);
  for (const { workspace_id } of quietest.slice(0, -KEPT)) workspaces.delete(workspace_id);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
