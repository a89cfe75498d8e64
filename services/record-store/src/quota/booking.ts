import { ActionError } from '@action-platform/contracts';
import { type BookedChange, type Settlement, settlementOf } from './usage-document.ts';

/** A change of a Workspace's stored bytes on its way: booked, then committed or cancelled. */
export class Booking {
  /** Resolves when the change is booked; rejects when there is no room for it. */
  readonly booked: Promise<void>;
  readonly #change: BookedChange;
  readonly #settle: (settlement: Settlement) => void;

  constructor(change: BookedChange, booked: Promise<void>, settle: (settlement: Settlement) => void) {
    this.booked = booked;
    this.#change = change;
    this.#settle = settle;
  }

  /**
   * Makes the booked change.
   *
   * @param write the single-document write that commits it and leaves its id on the head of the Record; false when
   *   a precondition did not hold, an ActionError when it was not sent. After any other error nobody knows whether
   *   it took effect, and the change stays pending until that can be told from the Record.
   */
  async commit(write: () => Promise<boolean>): Promise<boolean> {
    try {
      const isMade = await write();
      this.#settle(settlementOf(this.#change, isMade));
      return isMade;
    } catch (error) {
      if (error instanceof ActionError) this.cancel();
      throw error;
    }
  }

  /** Takes back a change that will not be made, once it is booked. */
  cancel(): void {
    const takeBack = () => this.#settle(settlementOf(this.#change, false));
    this.booked.then(takeBack, () => {});
  }
}
