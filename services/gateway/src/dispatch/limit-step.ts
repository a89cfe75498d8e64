import type { Bus } from '@action-platform/bus';
import { ActionError, dependsOnPermissions, isDefect } from '@action-platform/contracts/errors';
import { availableOperations } from './authority.ts';
import type { AdmittedCall } from './sent-call.ts';

/** Limits the step of a refusal to what its caller can do: a grant may have fewer operations than its Member, so grants is asked again. */
export async function limitStep(
  refusal: unknown,
  bus: Bus,
  { exchange, caller }: Pick<AdmittedCall, 'exchange' | 'caller'>,
): Promise<void> {
  if (!(refusal instanceof ActionError) || caller.credential.kind !== 'grant') return;
  if (!dependsOnPermissions(refusal.toEnvelope(exchange.requestId).error)) return;
  const permissions = await availableOperations(bus, exchange, caller, { isUncounted: true }).catch(
    (error: unknown) => {
      if (isDefect(error)) throw error;
      return { operations: [] };
    },
  );
  refusal.limitTo(permissions);
}
