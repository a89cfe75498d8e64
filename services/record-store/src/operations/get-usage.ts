import { getUsage } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** record_store.get_usage */
export function serveGetUsage({ usages }: Dependencies): ServedCall {
  return serveOperation(getUsage, async (_input, context) => {
    const { quotaBytes, storedBytes } = await usages.show(context.principal.workspaceId, context);
    return { quota: quotaBytes, stored_bytes: storedBytes };
  });
}
