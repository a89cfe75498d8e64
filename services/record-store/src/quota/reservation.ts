import { ActionError } from '@action-platform/contracts/errors';

/** Bytes reserved for a change of a Workspace; its writer commits or releases them. */
export class Reservation {
  readonly #settle: (isMade: boolean) => void;
  readonly #isMade: boolean | undefined;

  /** @param isMade whether the change was made together with the reservation; undefined when it was not tried. */
  constructor(settle: (isMade: boolean) => void, isMade?: boolean) {
    this.#settle = settle;
    this.#isMade = isMade;
  }

  /**
   * Makes the reserved change, unless that was tried together with the reservation.
   *
   * @param write the single-document write that commits the change and stores its id in the Record's head. It returns
   *   false when a precondition did not hold, and throws an ActionError when it was not sent. After any other error its
   *   outcome is unknown: the change stays in doubt until recovery decides it.
   */
  async commit(write: () => Promise<boolean>): Promise<boolean> {
    try {
      const isMade = this.#isMade ?? (await write());
      this.#settle(isMade);
      return isMade;
    } catch (error) {
      if (error instanceof ActionError) this.release();
      throw error;
    }
  }

  /** Releases the bytes of a change that will not be made. */
  release(): void {
    this.#settle(false);
  }
}
