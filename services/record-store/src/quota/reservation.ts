import { ActionError } from '@action-platform/contracts/errors';

/**
 * Bytes reserved for the writes of a Workspace; their writer commits or releases them. `Made` tells which writes were made: `boolean` of one
 * change, a list of them for the pushes of a call.
 */
export class Reservation<Made> {
  readonly #settle: (made: Made | undefined) => void;
  readonly #made: Made | undefined;

  /**
   * @param settle gets what was made; undefined when nothing was, and will not be.
   * @param made what was made together with the reservation; undefined when that was not tried.
   */
  constructor(settle: (made: Made | undefined) => void, made?: Made) {
    this.#settle = settle;
    this.#made = made;
  }

  /**
   * Makes the reserved writes, unless that was tried together with the reservation.
   *
   * @param write the single-document writes that commit the changes and store their ids in the Records' heads. `write` returns which of
   *   them were made: not one whose precondition did not hold. `write` throws an ActionError when nothing was sent. After any other error
   *   the outcome is unknown: the changes stay in doubt until recovery decides them.
   */
  async commit(write: () => Promise<Made>): Promise<Made> {
    try {
      const made = this.#made ?? (await write());
      this.#settle(made);
      return made;
    } catch (error) {
      if (error instanceof ActionError) this.release();
      throw error;
    }
  }

  /** Releases the bytes of writes that will not be made. */
  release(): void {
    this.#settle(undefined);
  }
}
