import { Counts } from './counts.ts';
import type { FairnessKey } from './fairness-key.ts';

/** A Workspace may hold this many times the free amount, and a caller this many times what its Workspace may still take. */
const SHARE = 8;
/** All calls to one service may hold this many times the free amount: more than a Workspace, so that one Workspace alone cannot fill it. */
const SERVICE_SHARE = 16;

/** The amounts that a Workspace holds, in all and by caller. */
interface HeldSlots {
  all: number;
  readonly callers: Counts;
}

/**
 * Limits how much is under way at once, calls or bytes, and shares it: a Workspace holds at most eight times the free amount,
 * and a caller at most eight times what its Workspace may still take. Calls to one service hold at most sixteen times the free
 * amount. So one Workspace alone gets nearly all, ten get nearly a tenth each, and a newcomer finds room. Nothing is reserved
 * for absent callers, and callers need not be known beforehand. (The rule is that of shared buffers in switches: Choudhury and
 * Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM Transactions on Networking 6 (2), 1998.)
 *
 * The limit can change. Above it, holders of large shares are refused first: a Workspace or a caller with less than an equal
 * part is admitted as long as anything is free.
 */
export class ConcurrencyLimiter {
  readonly #most: number;
  readonly #limit: () => number;
  readonly #workspaces = new Map<string, HeldSlots>();
  readonly #services = new Counts();
  #taken = 0;

  /**
   * @param most the capacity.
   * @param limit how much of it may be taken now.
   */
  constructor(most: number, limit = () => most) {
    this.#most = most;
    this.#limit = limit;
  }

  /** How much is taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes an amount, which `leave` gives back; false when this fairness key has no room for it.
   *
   * @param service the service that is called, where there are several.
   */
  take(fairnessKey: FairnessKey, service = '', amount = 1): boolean {
    if (!this.hasRoom(fairnessKey, service, amount)) return false;
    const { workspace, caller } = fairnessKey;
    let held = this.#workspaces.get(workspace);
    if (held === undefined) {
      held = { all: 0, callers: new Counts() };
      this.#workspaces.set(workspace, held);
    }
    held.all += amount;
    held.callers.add(caller, amount);
    this.#services.add(service, amount);
    this.#taken += amount;
    return true;
  }

  /** Gives back an amount that was taken, or a part of it. */
  leave({ workspace, caller }: FairnessKey, service = '', amount = 1): void {
    const held = this.#workspaces.get(workspace)!;
    held.all -= amount;
    if (held.all === 0) this.#workspaces.delete(workspace);
    else held.callers.remove(caller, amount);
    this.#services.remove(service, amount);
    this.#taken -= amount;
  }

  /** Moves an amount that was taken to another service; false when that service has no room for it. */
  move(from = '', to = '', amount = 1): boolean {
    if (this.#services.of(to) + amount > SERVICE_SHARE * (this.#most - this.#taken + 1)) return false;
    this.#services.remove(from, amount);
    this.#services.add(to, amount);
    return true;
  }

  /** Whether this fairness key has room for an amount. */
  hasRoom({ workspace, caller }: FairnessKey, service = '', amount = 1): boolean {
    // With the amount taken; one unit more, so that one call alone gets the last of the calls.
    const free = this.#most - this.#taken - amount + 1;
    if (free < 1) return false;
    const share = SHARE * free;
    const held = this.#workspaces.get(workspace);
    const all = held?.all ?? 0;
    const own = held?.callers.of(caller) ?? 0;
    if (all + amount > share) return false;
    if (service !== '' && this.#services.of(service) + amount > SERVICE_SHARE * free) return false;

    const limit = this.#limit();
    const equalPart = limit / (this.#workspaces.size + (all === 0 ? 1 : 0));
    const allowed = Math.min(share, Math.max(SHARE * (limit - this.#taken), equalPart));
    if (all < allowed && own < SHARE * (allowed - all)) return true;
    return own + amount <= equalPart / ((held?.callers.size ?? 0) + 1);
  }
}
