import { setQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { RecordStore } from '../store.ts';

/** admin.record-store.set_quota */
export function serveSetQuota({ quota }: RecordStore): ServedCall {
  return serveCall(setQuota, async ({ workspace, bytes }) => {
    await quota.set(workspace, bytes);
    return { quota: bytes };
  });
}
