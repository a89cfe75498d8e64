import { recountQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { recount } from '../recovery/recount.ts';

/** admin.record-store.recount_quota */
export function serveRecountQuota(dependencies: Dependencies): ServedCall {
  return serveCall(recountQuota, async ({ workspace }, context) => {
    const { quotaBytes, storedBytes, driftBytes } = await recount(dependencies, workspace, context);
    return { quota: quotaBytes, stored_bytes: storedBytes, drift_bytes: driftBytes };
  });
}
