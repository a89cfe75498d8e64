import type { Timed } from '@action-platform/contracts/calls';
import { byWorkspace, within } from '@action-platform/mongo';
import type { Chains } from '../blocks/stored-block.ts';
import { term } from '../blocks/terms.ts';

/** Whether a call about a Workspace has succeeded. Refused ones have entries too, and may name a Workspace that never existed. */
export async function hasSuccess({ blocks }: Chains, workspaceId: string, timed: Timed): Promise<boolean> {
  const succeeded = { ...byWorkspace(workspaceId), terms: term('code', 'ok') };
  return (await blocks.findOne(succeeded, { projection: { _id: 1 }, ...within(timed) })) !== null;
}
