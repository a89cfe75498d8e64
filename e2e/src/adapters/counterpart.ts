/** A server of another maker that the adapters are tested on. */
export interface Counterpart {
  /** Its name for people. */
  readonly title: string;
  /** Finds it on this machine or gets it. @throws Error that says what could not be had, and why */
  get(): Promise<void>;
}
