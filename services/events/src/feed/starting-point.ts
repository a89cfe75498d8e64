import { ActionError } from '@action-platform/contracts/errors';
import { feedOf, LATEST } from '@action-platform/contracts/operations';
import type { Cursors } from '@action-platform/sealing';
import { type Position, readPosition } from './position.ts';
import type { EventsState } from './stream-state.ts';

/** Where a page starts. */
export interface StartingPoint {
  readonly from: Position;
  readonly createdAt: Date;
}

/**
 * Where the page of a cursor starts. Throws ActionError: `invalid_request` for a cursor of no feed of this Workspace,
 * `event_cursor_expired` when events after it are no longer kept. Rejects while JetStream is away.
 */
export async function startingPoint(
  cursor: string | undefined,
  workspaceId: string,
  { stream, cursors }: { readonly stream: EventsState; readonly cursors: Cursors },
): Promise<StartingPoint> {
  if (cursor === LATEST) {
    const { createdAt, lastSequence } = await stream.now();
    return { from: { sequence: lastSequence + 1, index: 0 }, createdAt };
  }
  const text = cursors.positionIn(feedOf(workspaceId), cursor);
  const state = await stream.recent();
  const { createdAt } = state;
  if (text === undefined)
    return { from: { sequence: Math.max(1, state.firstSequence), index: 0 }, createdAt };
  const { createdAt: streamOfCursor, position } = readPosition(text);
  const isKept = position.sequence >= state.firstSequence;
  if (!isKept || !(await stream.reaches(streamOfCursor, position.sequence)))
    throw new ActionError('event_cursor_expired');
  return { from: position, createdAt: streamOfCursor };
}
