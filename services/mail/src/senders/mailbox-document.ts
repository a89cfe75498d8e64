/** How the mailbox behind a Member's connection of the mail suite is reached. Every connection has its own. */
export interface MailboxDocument {
  /** The connection id, `con_…`. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly provider: string;
  readonly created_at: Date;
}
