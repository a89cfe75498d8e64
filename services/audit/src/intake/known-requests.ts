/** How many requests are remembered at least, when there were so many: those of one minute at 1,200 writes a second. */
const REMEMBERED = 75_000;

/**
 * Requests whose entry this process has stored lately. Their changes come a minute after their entries, and need no look-up then.
 */
export class KnownRequests {
  #recent = new Set<string>();
  #earlier: ReadonlySet<string> = new Set();

  add(workspaceId: string, requestId: string): void {
    if (this.#recent.size >= REMEMBERED) [this.#earlier, this.#recent] = [this.#recent, new Set()];
    this.#recent.add(keyOf(workspaceId, requestId));
  }

  has(workspaceId: string, requestId: string): boolean {
    const key = keyOf(workspaceId, requestId);
    return this.#recent.has(key) || this.#earlier.has(key);
  }
}

function keyOf(workspaceId: string, requestId: string): string {
  return `${workspaceId} ${requestId}`;
}
