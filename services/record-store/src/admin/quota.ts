import { recountQuota, setQuota, showQuota } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { recount } from '../recovery/recount.ts';

/** The commands for the quota of a Workspace. */
export function serveQuotaCommands(dependencies: Dependencies): ServedCall[] {
  const { usages, quota } = dependencies;
  return [
    serveCall(setQuota, async ({ workspace, bytes }, context) => {
      await usages.set(workspace, bytes, context);
      // A lower quota holds at once: no push uses room that was reserved under the old one.
      await quota.endBlocks(workspace);
      return { quota: bytes };
    }),

    serveCall(showQuota, async ({ workspace }, context) => {
      const { quotaBytes, storedBytes } = await usages.show(workspace, context);
      return { quota: quotaBytes, stored_bytes: storedBytes };
    }),

    serveCall(recountQuota, async ({ workspace }, context) => {
      const { quotaBytes, storedBytes, driftBytes } = await recount(dependencies, workspace, context);
      return { quota: quotaBytes, stored_bytes: storedBytes, drift_bytes: driftBytes };
    }),
  ];
}
