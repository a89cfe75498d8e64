import type { FileSource } from './stored-file.ts';

/** A place outside the database whose files the service lists and follows. */
export interface FollowedSource {
  /** Marks its files in the database. */
  readonly kind: FileSource;
  /** The variable that configures it, as a name for operators. */
  readonly variable: string;
  /** Whether the listing stays unchanged, because the place cannot be read or was emptied. */
  readonly isListingKept: boolean;
  /** Begins to follow the place, in the background. */
  start(): void;
  /** Stops following it; resolves when no work is under way. */
  stop(): Promise<void>;
  /** Requests a pass over all its files, which begins soon. */
  refresh(): Promise<void>;
}
