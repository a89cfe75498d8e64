/** After how long somebody who makes one call after the other has what they want again. */
export class RecoveryTime {
  #awaited: { readonly since: number; readonly resolve: (seconds: number) => void } | undefined;

  /** How many seconds it takes from a moment until a call has succeeded that was begun after it. */
  after(since: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited = { since, resolve };
    return promise;
  }

  /** A call has succeeded. @param begunAt `performance.now()` when it was begun */
  succeeded(begunAt: number): void {
    const awaited = this.#awaited;
    if (awaited === undefined || begunAt < awaited.since) return;
    awaited.resolve((performance.now() - awaited.since) / 1_000);
    this.#awaited = undefined;
  }
}
