const AT_THE_LIMIT = { is: 'unavailable', cause: 'calls_under_way' } as const;

/** How many requests of a Workspace may be under way at one origin. */
const AT_ONCE = 32;

/** Limits the requests under way at each origin, so that an endpoint that hangs holds a part of the process alone. */
export class UnderWay {
  readonly #counts = new Map<string, number>();

  /** Makes a request; at the limit it is unavailable at once. */
  async run<Outcome>(
    workspaceId: string,
    url: string,
    request: () => Promise<Outcome>,
  ): Promise<Outcome | typeof AT_THE_LIMIT> {
    const place = `${workspaceId} ${new URL(url).origin}`;
    const count = this.#counts.get(place) ?? 0;
    if (count >= AT_ONCE) return AT_THE_LIMIT;
    this.#counts.set(place, count + 1);
    try {
      return await request();
    } finally {
      const left = this.#counts.get(place)! - 1;
      if (left === 0) this.#counts.delete(place);
      else this.#counts.set(place, left);
    }
  }
}
