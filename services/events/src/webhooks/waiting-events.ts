import type { Delivery } from './delivery.ts';

/** The waiting deliveries of an endpoint. The first of a subject holds up the others of it, and nothing else. */
export class WaitingEvents {
  readonly #bySubject = new Map<string, Delivery[]>();
  #size = 0;

  /** @param deliveries in any order. */
  constructor(deliveries: readonly Delivery[]) {
    const inOrder = deliveries.toSorted(
      (one, other) => one.sequence - other.sequence || one.index - other.index,
    );
    for (const delivery of inOrder) this.add(delivery);
  }

  get size(): number {
    return this.#size;
  }

  /** The time of the oldest event; undefined without one. */
  get oldest(): number | undefined {
    const firsts = this.#firsts().map(({ createdAt }) => createdAt);
    return firsts.length === 0 ? undefined : Math.min(...firsts);
  }

  /** When the next attempt may begin; undefined without one. */
  get nextAttemptAt(): number | undefined {
    const firsts = this.#firsts().map(({ nextAttemptAt }) => nextAttemptAt);
    return firsts.length === 0 ? undefined : Math.min(...firsts);
  }

  /** Whether an event of the subject waits, so that later ones must wait behind it. */
  has(subject: string): boolean {
    return this.#bySubject.has(subject);
  }

  /** Adds an event behind those of its subject. */
  add(delivery: Delivery): void {
    const others = this.#bySubject.get(delivery.subject);
    if (others === undefined) this.#bySubject.set(delivery.subject, [delivery]);
    else others.push(delivery);
    this.#size++;
  }

  /** Up to `limit` deliveries that may be attempted now, each the first of its subject. */
  due(now: number, limit: number): Delivery[] {
    return this.#firsts()
      .filter(({ nextAttemptAt }) => nextAttemptAt <= now)
      .slice(0, limit);
  }

  /** Removes the first delivery of its subject. */
  remove({ subject }: Delivery): void {
    const ofSubject = this.#bySubject.get(subject)!;
    ofSubject.shift();
    if (ofSubject.length === 0) this.#bySubject.delete(subject);
    this.#size--;
  }

  #firsts(): Delivery[] {
    return [...this.#bySubject.values()].map(([first]) => first!);
  }
}
