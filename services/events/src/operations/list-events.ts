import { busHeaders, EVENTS } from '@action-platform/contracts/bus';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import {
  type FeedPage,
  feedOf,
  listEvents,
  POSITIONS_IN_A_PAGE,
} from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { approvalsOfOthers } from '../feed/approvals-of-others.ts';
import { filteredCollections } from '../feed/filtered-collections.ts';
import { type Position, positionText } from '../feed/position.ts';
import { readPage } from '../feed/read-page.ts';
import { startingPoint } from '../feed/starting-point.ts';
import { isFor } from '../feed/visibility.ts';

/** events.list_events */
export function serveListEvents(dependencies: Dependencies): ServedCall {
  const { bus, cursors } = dependencies;
  return serveOperation(listEvents, async (input, context) => {
    const { types, collection_ids, limit } = input;
    const collectionIds = collection_ids && filteredCollections('collection_ids', collection_ids);
    const { principal, granted } = context;
    const { workspaceId } = principal;
    const { from, createdAt } = await startingPoint(input.cursor, workspaceId, dependencies);
    const wanted = async (events: readonly ChangeEvent[]) => {
      const reader = { principal, granted, types, collectionIds };
      if (granted !== undefined) return isFor(reader);
      return isFor({ ...reader, approvals: await approvalsOfOthers(bus, principal, events, context) });
    };
    const page = await readPage(bus, { workspaceId, from, limit, wanted });
    const { events, positions, isAtEnd } = page;
    // Far behind, an empty page would keep its reader where events expire.
    const end =
      isAtEnd && events.length === 0
        ? await bus.streams.nothingUpTo(EVENTS, { workspaceId, from: page.next.sequence })
        : page.next.sequence - 1;
    const next: Position = end >= page.next.sequence ? { sequence: end + 1, index: 0 } : page.next;
    const text = (position: Position) => positionText(createdAt, position);
    const feed: FeedPage = {
      count: events.length,
      ...(events.length <= POSITIONS_IN_A_PAGE && { positions: positions.map(text) }),
      ...(isAtEnd && { end }),
    };
    context.addHeader(busHeaders.feed, JSON.stringify(feed));
    return {
      events: [...events],
      next_cursor: cursors.at(feedOf(workspaceId), text(next)),
    };
  });
}
