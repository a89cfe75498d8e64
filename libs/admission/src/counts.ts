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

  /** Throws Error when the key has less. */
  remove(key: string, amount: number): void {
    const count = this.of(key);
    if (count < amount) throw new Error('An amount that was not taken is given back');
    if (count > amount) this.#counts.set(key, count - amount);
    else this.#counts.delete(key);
  }
}
