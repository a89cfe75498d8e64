import { ActionError } from '@action-platform/contracts';
import type { Decision } from './stored-usage.ts';

/** Room that a change of a Workspace's stored bytes has been given: to be committed or released. */
export class Reservation {
  readonly #settle: (decision: Decision) => void;
  readonly #isMade: boolean | undefined;

  /** @param isMade what came of the change when it was made together with the reservation. */
  constructor(settle: (decision: Decision) => void, isMade?: boolean) {
    this.#settle = settle;
    this.#isMade = isMade;
  }

  /**
   * Makes the reserved change, unless that was tried together with the reservation.
   *
   * @param write the single-document write that commits it and leaves its id on the head of the Record; false when
   *   a precondition did not hold, an ActionError when it was not sent. After any other error nobody knows whether
   *   it took effect: the change stays in doubt until recovery decides it.
   */
  async commit(write: () => Promise<boolean>): Promise<boolean> {
    try {
      const isMade = this.#isMade ?? (await write());
      this.#settle(isMade ? 'committed' : 'aborted');
      return isMade;
    } catch (error) {
      if (error instanceof ActionError) this.release();
      throw error;
    }
  }

  /** Gives the room back: the change will not be made. */
  release(): void {
    this.#settle('aborted');
  }
}
