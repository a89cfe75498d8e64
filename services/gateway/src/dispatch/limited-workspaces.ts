/** How long a limit refuses the calls of a Workspace at most, in milliseconds: the limit counts the calls of a second. */
const LONGEST_MS = 1_000;

/**
 * The Workspaces whose limit refuses calls for the rest of this second, as grants answered: this gateway refuses them unread meanwhile.
 * `LimitedWorkspaces` is empty while no Workspace has reached a limit.
 */
export class LimitedWorkspaces {
  /** The end of each, in milliseconds of `performance.now()`. */
  readonly #until = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#until.size === 0;
  }

  add(workspaceId: string, forMs: number): void {
    this.#until.set(workspaceId, performance.now() + Math.min(forMs, LONGEST_MS));
  }

  /** Whether calls of the Workspace are refused now; forgets those that no longer are. */
  has(workspaceId: string): boolean {
    const now = performance.now();
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    return this.#until.has(workspaceId);
  }
}
