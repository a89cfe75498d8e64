/** Remembers the latest things put into it, up to a number of them. */
export class BoundedCache<Key, Value> {
  readonly #capacity: number;
  readonly #values = new Map<Key, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  /** Adds a value; the one that has been here longest makes room for it. */
  set(key: Key, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size > this.#capacity) this.#values.delete(this.#values.keys().next().value!);
  }
}
