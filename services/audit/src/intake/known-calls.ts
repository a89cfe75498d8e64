/** How many calls are remembered at least, when there were so many: those of one minute at 1,200 writes a second. */
const REMEMBERED = 75_000;

/**
 * Calls whose entry this process has stored lately. Their changes come a minute after their entries, and need no look-up then.
 */
export class KnownCalls {
  #recent = new Set<string>();
  #earlier: ReadonlySet<string> = new Set();

  add(workspaceId: string, callId: string): void {
    if (this.#recent.size >= REMEMBERED) [this.#earlier, this.#recent] = [this.#recent, new Set()];
    this.#recent.add(keyOf(workspaceId, callId));
  }

  has(workspaceId: string, callId: string): boolean {
    const key = keyOf(workspaceId, callId);
    return this.#recent.has(key) || this.#earlier.has(key);
  }
}

function keyOf(workspaceId: string, callId: string): string {
  return `${workspaceId} ${callId}`;
}
