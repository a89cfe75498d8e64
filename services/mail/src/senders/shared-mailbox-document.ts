/** A mailbox that Members share. */
export interface SharedMailboxDocument {
  /** The sender id, `snd_…`. */
  readonly _id: string;
  readonly workspace_id: string;
  /** The address in lower case: what the mailbox is known by in its Workspace. */
  readonly address: string;
  readonly email: string;
  readonly display_name: string;
  readonly provider: string;
  /** The user ids of those who share it; every Member when there is none. */
  readonly members: readonly string[];
  readonly interactive: boolean;
  readonly scheduled: boolean;
}
