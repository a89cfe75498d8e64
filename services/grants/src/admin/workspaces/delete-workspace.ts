import { deleteWorkspace as declared } from '@action-platform/contracts';
import { type ServedCall, serveCall, storesAny } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { deleteWorkspace } from '../../erasure/workspace-deletion.ts';
import { describeWorkspace } from '../../members/stored-workspace.ts';

const DAY_MS = 86_400_000;

/** `admin.grants.delete_workspace`: ends all access now, and has everything erased after the grace period. */
export function serveDeleteWorkspace({
  stored,
  own,
  otherServices,
  erasureDelayMs,
}: Dependencies): ServedCall {
  return serveCall(declared, async ({ workspace, grace_days, again }, context) => {
    const eraseAfterMs = grace_days * DAY_MS + erasureDelayMs;
    const isStoredAgain = async () =>
      again &&
      ((await storesAny(own, workspace, context)) || (await otherServices.storeAny(workspace, context)));
    const deleted = await deleteWorkspace(stored, workspace, { eraseAfterMs, isStoredAgain }, context);
    return { workspace: describeWorkspace(deleted) };
  });
}
