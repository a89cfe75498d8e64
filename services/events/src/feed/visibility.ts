import type { Principal } from '@action-platform/contracts/authority';
import {
  type ChangeEvent,
  type ChangeEventType,
  changeEventTypes,
} from '@action-platform/contracts/change-events';

/** The events that a reader asks for and may see. */
export interface Reader {
  readonly principal: Pick<Principal, 'userId' | 'role'>;
  /** The Collections in the data scope of the routine grant in use; undefined when nothing is limited. */
  readonly granted: readonly string[] | undefined;
  /** The approvals of others' calls that the reader may decide. */
  readonly approvals?: ReadonlySet<string>;
  readonly types?: readonly ChangeEventType[] | undefined;
  readonly collectionIds?: readonly string[] | undefined;
}

/**
 * Whether an event is for a reader. A reader of a part of the feed gets `feed.gap` too: it cannot know which events are missing.
 */
export function isFor(reader: Reader): (event: ChangeEvent) => boolean {
  const { granted, types, collectionIds } = reader;
  return (event) => {
    const { type, data } = event;
    if (type === 'feed.gap') return true;
    if (types !== undefined && !types.includes(type)) return false;
    if (collectionIds !== undefined && !isOf(data, collectionIds)) return false;
    return granted === undefined ? isVisible(event, reader) : isOf(data, granted);
  };
}

/** Whether a Member may see an event. */
function isVisible({ type, subject, data }: ChangeEvent, { principal, approvals }: Reader): boolean {
  if (principal.role === 'owner') return true;
  const { visibility } = changeEventTypes[type];
  if (visibility === 'approvers' && approvals?.has(subject)) return true;
  return visibility === 'members' || (visibility !== 'owners' && data.user_id === principal.userId);
}

function isOf({ collection_id: id }: ChangeEvent['data'], collectionIds: readonly string[]): boolean {
  return id !== undefined && collectionIds.includes(id);
}
