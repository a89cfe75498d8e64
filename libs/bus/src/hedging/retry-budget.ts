import { readFairnessKey } from '@action-platform/admission';
import { serviceOfSubject } from '@action-platform/contracts/bus';

/** The repetitions that each request adds to the budget. */
const EARNED = 0.1;
/** The most repetitions saved: enough for everything a gateway has in flight when a replica dies. */
const MOST_SAVED = 1_000;

/** How long a service counts as busy for a Workspace after it refused a request for its load, in milliseconds. */
const BUSY_MS = 1_000;
/** How many Workspaces may be remembered; beyond that all are forgotten. */
const REMEMBERED = 1_000;

/**
 * The retry budget of the reads of one service: a tenth of its requests, and more at low load. When a replica hangs, the budget is enough
 * for its requests to reach the others. When all replicas are overloaded, more repetitions would keep them so.
 */
export class RetryBudget {
  #left = MOST_SAVED;
  /** By Workspace: the share of one may be full while others have room. */
  readonly #busyUntil = new Map<string, number>();

  /** The service refused a request with this fairness key for its load. */
  busy(fairnessKey = ''): void {
    if (this.#busyUntil.size >= REMEMBERED) this.#busyUntil.clear();
    this.#busyUntil.set(readFairnessKey(fairnessKey).workspace, performance.now() + BUSY_MS);
  }

  /**
   * Whether the service refused a request of the same Workspace lately: a read without an answer waits in its queue then, and another copy
   * would wait there too.
   */
  isBusyFor(fairnessKey = ''): boolean {
    return performance.now() < (this.#busyUntil.get(readFairnessKey(fairnessKey).workspace) ?? 0);
  }

  /** Counts a request. */
  earn(): void {
    this.#left = Math.min(this.#left + EARNED, MOST_SAVED);
  }

  /** Takes repetitions; returns how many of them are left to take. */
  spend(repetitions: number): number {
    const taken = Math.min(repetitions, Math.floor(this.#left));
    this.#left -= taken;
    return taken;
  }
}

/** The retry budgets of all services. */
export class RetryBudgets {
  /** By service, and by subject: finding the service of a subject takes longer. */
  readonly #budgets = new Map<string, RetryBudget>();

  /** The budget of the service that serves a subject. */
  of(subject: string): RetryBudget {
    const known = this.#budgets.get(subject);
    if (known !== undefined) return known;
    const service = serviceOfSubject(subject) ?? subject;
    const budget = this.#budgets.get(service) ?? new RetryBudget();
    this.#budgets.set(service, budget).set(subject, budget);
    return budget;
  }
}
