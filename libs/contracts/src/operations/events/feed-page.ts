/** The facts about a page of a feed that the gateway needs (`busHeaders.feed`). */
export interface FeedPage {
  /** How many items it has. */
  readonly count: number;
  /** The position after each item, of a page of at most `POSITIONS_IN_A_PAGE`. */
  readonly positions?: readonly string[];
  /** Set when the page reaches the end: the Workspace had nothing more up to this sequence of the stream. */
  readonly end?: number;
}

/** The most positions that a header has room for. */
export const POSITIONS_IN_A_PAGE = 100;

/** The name of a Workspace's feed in its cursors. The cursors are valid with any filter. */
export function feedOf(workspaceId: string): string {
  return `events ${workspaceId}`;
}
