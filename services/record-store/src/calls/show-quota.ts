import { showQuota } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { RecordStore } from '../store.ts';

/** admin.record-store.show_quota */
export function serveShowQuota({ quota }: RecordStore): ServedCall {
  return serveCall(showQuota, ({ workspace }) => quota.show(workspace));
}
