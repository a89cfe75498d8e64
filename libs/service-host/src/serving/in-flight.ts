/** What a replica is working on, in all and for each Workspace: it takes on no more than it can do. */
export class InFlight {
  readonly #limit: number;
  readonly #byWorkspace = new Map<string, number>();
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many calls are being worked on. */
  get count(): number {
    return this.#count;
  }

  /** How many of them are for this Workspace. */
  countOf(workspaceId: string): number {
    return this.#byWorkspace.get(workspaceId) ?? 0;
  }

  /**
   * Takes on a call; false when the replica is at its limit. What was taken on is let go of with `leave`.
   *
   * @param workspaceId undefined for a call that is about no Workspace.
   */
  enter(workspaceId: string | undefined): boolean {
    if (this.#count >= this.#limit) return false;
    this.#count++;
    if (workspaceId === undefined) return true;
    this.#byWorkspace.set(workspaceId, (this.#byWorkspace.get(workspaceId) ?? 0) + 1);
    return true;
  }

  leave(workspaceId: string | undefined): void {
    this.#count--;
    if (workspaceId === undefined) return;
    const count = this.#byWorkspace.get(workspaceId)!;
    if (count === 1) this.#byWorkspace.delete(workspaceId);
    else this.#byWorkspace.set(workspaceId, count - 1);
  }
}
