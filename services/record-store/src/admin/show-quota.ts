import { showQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** admin.record-store.show_quota */
export function serveShowQuota({ usages }: Dependencies): ServedCall {
  return serveCall(showQuota, async ({ workspace }, context) => {
    const { quotaBytes, storedBytes } = await usages.show(workspace, context);
    return { quota: quotaBytes, stored_bytes: storedBytes };
  });
}
