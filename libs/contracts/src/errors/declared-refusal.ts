/** An error that a custom operation declares: its endpoint may answer with it. */
export interface DeclaredRefusal {
  /** Begins with `custom_`; none of the catalogue. */
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly recoverable: boolean;
}

/** The form of their codes. */
export const DECLARED_CODE = /^custom_[a-z0-9]+(_[a-z0-9]+)*$/;
