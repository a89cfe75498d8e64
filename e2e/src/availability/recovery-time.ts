/** Measures how long a client with sequential calls waits after a fault for its first success. */
export class RecoveryTime {
  #awaited: { readonly since: number; readonly resolve: (seconds: number) => void } | undefined;

  /** The seconds from a moment to the success of a call that began after it. */
  after(since: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited = { since, resolve };
    return promise;
  }

  /** Records a success. @param begunAt `performance.now()` when the call began */
  succeeded(begunAt: number): void {
    const awaited = this.#awaited;
    if (awaited === undefined || begunAt < awaited.since) return;
    awaited.resolve((performance.now() - awaited.since) / 1_000);
    this.#awaited = undefined;
  }
}
