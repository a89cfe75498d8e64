/** Messages that wait to leave together, by the subject to which they go. */
export class Outbox<Message> {
  /** Each tick has a new map: the table of a cleared map would stay in the old generation with its messages (`Connection`). */
  #unsent = new Map<string, Message[]>();

  /** Adds a message; true for the first one since `take`. */
  add(subject: string, message: Message): boolean {
    const isFirst = this.#unsent.size === 0;
    const together = this.#unsent.get(subject);
    if (together === undefined) this.#unsent.set(subject, [message]);
    else together.push(message);
    return isFirst;
  }

  /** Takes all messages out. */
  take(): ReadonlyMap<string, Message[]> {
    const taken = this.#unsent;
    this.#unsent = new Map();
    return taken;
  }
}
