import { setQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** admin.record-store.set_quota */
export function serveSetQuota({ usages, quota }: Dependencies): ServedCall {
  return serveCall(setQuota, async ({ workspace, bytes }, context) => {
    await usages.set(workspace, bytes, context);
    // A lower quota holds at once: no push uses room that was reserved under the old one.
    await quota.endBlocks(workspace);
    return { quota: bytes };
  });
}
