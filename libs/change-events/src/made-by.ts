import type { Origin } from '@action-platform/contracts/calls';
import type { ChangeEventData } from '@action-platform/contracts/change-events';

/** The part of an event that says where its change came from; empty when no call made the change. */
export function madeBy({
  request_id,
  call_id,
  user_id,
  grant_id,
  invocation_id,
  approval_id,
  operator,
}: Partial<Origin> = {}): Pick<ChangeEventData, 'actor' | 'request_id' | 'call_id' | 'approval_id'> {
  return {
    actor: {
      ...(user_id !== undefined && { user_id }),
      ...(grant_id !== undefined && { grant_id }),
      ...(invocation_id !== undefined && { invocation_id }),
      ...(operator !== undefined && { operator }),
    },
    ...(approval_id !== undefined && { approval_id }),
    ...(request_id !== undefined && { request_id }),
    ...(call_id !== undefined && { call_id }),
  };
}
