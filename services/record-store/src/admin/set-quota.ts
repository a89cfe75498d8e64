import { setQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** admin.record-store.set_quota */
export function serveSetQuota({ usages }: Dependencies): ServedCall {
  return serveCall(setQuota, async ({ workspace, bytes }, context) => {
    await usages.set(workspace, bytes, context);
    return { quota: bytes };
  });
}
