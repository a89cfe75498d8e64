/** How many of something each key has; a key that has none takes no room. */
export class Counts {
  readonly #counts = new Map<string, number>();

  /** How many keys have any. */
  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const count = this.of(key);
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}
