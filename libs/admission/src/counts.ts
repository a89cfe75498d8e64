/** An amount for each key; a key whose amount is zero takes no memory. */
export class Counts {
  readonly #counts = new Map<string, number>();

  /** How many keys have an amount. */
  get size(): number {
    return this.#counts.size;
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, amount: number): void {
    this.#counts.set(key, this.of(key) + amount);
  }

  remove(key: string, amount: number): void {
    const count = this.of(key);
    if (count > amount) this.#counts.set(key, count - amount);
    else this.#counts.delete(key);
  }
}
