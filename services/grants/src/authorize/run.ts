import { ActionError, codePointLength, KEY_MAX_LENGTH, type Principal } from '@action-platform/contracts';
import type { Cadence } from '../cadence/cadence.ts';
import type { AsOf } from '../database/time.ts';
import type { StoredRoutineGrant } from '../grants/stored-grant.ts';

/**
 * Counts the run that a scheduled call belongs to and says what the call may reach. Throws ActionError:
 * `routine_invocation_id_required`, `grant_cadence_exceeded` with the seconds until there is room.
 */
export async function countRun(
  grant: AsOf<StoredRoutineGrant>,
  invocationId: string | undefined,
  cadence: Cadence,
): Promise<NonNullable<Principal['routine']>> {
  if (invocationId === undefined || invocationId === '' || codePointLength(invocationId) > KEY_MAX_LENGTH) {
    throw new ActionError('routine_invocation_id_required');
  }
  const { _id: id, maximum_cadence, data, output_definition, as_of } = grant;
  const waitMs = await cadence.count({ grantId: id, cadence: maximum_cadence }, invocationId, as_of);
  if (waitMs > 0) throw new ActionError('grant_cadence_exceeded', { retryAfter: Math.ceil(waitMs / 1000) });
  return {
    id,
    data,
    invocationId,
    ...(output_definition === null ? {} : { outputDefinition: output_definition }),
  };
}
