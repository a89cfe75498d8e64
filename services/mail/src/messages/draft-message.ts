/** An e-mail that is to be kept as a draft, whatever the provider of the mailbox. */
export interface DraftMessage {
  /** Names the submission that the draft belongs to: lower-case hexadecimal digits. */
  readonly marker: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Plain text, with the line ends that the caller chose. */
  readonly body: string;
  readonly date: Date;
}
