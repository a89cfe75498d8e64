import { Counts } from './counts.ts';
import type { FairnessKey } from './fairness-key.ts';

/** How many times what is free a fairnessKey may hold. */
const SHARE = 8;
/** And what is asked of one service: more, so that a Workspace that holds all it may there leaves room for others who ask the same. */
const SERVICE_SHARE = 16;

/** What a Workspace holds, in all and for each caller. */
interface Held {
  all: number;
  readonly callers: Counts;
}

/**
 * ConcurrencyLimiter for what is under way, shared so that whoever holds many leaves some for the others. A Workspace may hold up to
 * eight times as many as are free, and a caller up to eight times what its Workspace may still take. What is asked of one
 * service may hold up to sixteen times what is free. So one alone gets nearly all, ten get nearly a tenth each, and there
 * is a place for one who holds none. Nothing is reserved for those who are not there, and nobody has to be known
 * beforehand. (The rule is that of shared buffers in switches: Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", IEEE/ACM Transactions on Networking 6 (2), 1998.)
 *
 * How many may be taken can change. When more are taken than that, those who hold too many have to make way. A Workspace
 * or a caller with less than an equal part still finds a place while there are any at all.
 */
export class ConcurrencyLimiter {
  readonly #most: number;
  readonly #limit: () => number;
  readonly #workspaces = new Map<string, Held>();
  readonly #services = new Counts();
  #taken = 0;

  /**
   * @param most how many there are.
   * @param limit how many of them may be taken now.
   */
  constructor(most: number, limit = () => most) {
    this.#most = most;
    this.#limit = limit;
  }

  /** How many are taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place, which is given back with `leave`; false when there is none for this fairnessKey.
   *
   * @param service the service that will be asked, where there are several.
   */
  take(fairnessKey: FairnessKey, service = ''): boolean {
    if (!this.hasRoom(fairnessKey, service)) return false;
    const { workspace, caller } = fairnessKey;
    let held = this.#workspaces.get(workspace);
    if (held === undefined) {
      held = { all: 0, callers: new Counts() };
      this.#workspaces.set(workspace, held);
    }
    held.all++;
    held.callers.add(caller);
    this.#services.add(service);
    this.#taken++;
    return true;
  }

  leave({ workspace, caller }: FairnessKey, service = ''): void {
    const held = this.#workspaces.get(workspace)!;
    held.all--;
    if (held.all === 0) this.#workspaces.delete(workspace);
    else held.callers.remove(caller);
    this.#services.remove(service);
    this.#taken--;
  }

  /** Whether there is a place for this fairnessKey. */
  hasRoom({ workspace, caller }: FairnessKey, service = ''): boolean {
    const free = this.#most - this.#taken;
    const share = SHARE * free;
    const held = this.#workspaces.get(workspace);
    const all = held?.all ?? 0;
    const own = held?.callers.of(caller) ?? 0;
    if (all >= share || (service !== '' && this.#services.of(service) >= SERVICE_SHARE * free)) return false;

    const limit = this.#limit();
    const equalPart = limit / (this.#workspaces.size + (all === 0 ? 1 : 0));
    const allowed = Math.min(share, Math.max(SHARE * (limit - this.#taken), equalPart));
    if (all < allowed && own < SHARE * (allowed - all)) return true;
    return own + 1 <= equalPart / ((held?.callers.size ?? 0) + 1);
  }
}
