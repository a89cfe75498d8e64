import { verifyAudit } from '@action-platform/contracts/calls';
import { within } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { blockId } from '../blocks/stored-block.ts';
import { type Tampering, verifyWorkspace } from '../blocks/verify.ts';
import type { Dependencies } from '../dependencies.ts';

/** How much tampering an answer names. */
const MOST_NAMED = 100;

/** `admin.audit.verify` */
export function serveVerifyAudit({ chains }: Dependencies): ServedCall {
  return serveCall(verifyAudit, async ({ workspace, block, hash }, context) => {
    const verified = await verifyWorkspace(chains, workspace, context);
    const rewritten: Tampering[] = [];
    if (block !== undefined) {
      const known = await chains.blocks.findOne({ _id: blockId(workspace, block) }, within(context));
      // Of a chain whose blocks are all past their retention the end is left, which the verification has checked.
      const last =
        verified.last_block ?? (await chains.ends.findOne({ _id: workspace }, within(context)))?.number;
      if (block > (last ?? -1)) rewritten.push({ block, problem: 'removed' });
      else if (known !== null && hash !== undefined && known.hash !== hash)
        rewritten.push({ block, problem: 'changed' });
    }
    const found = [...rewritten, ...verified.found].slice(0, MOST_NAMED);
    return { ...verified, valid: found.length === 0, found };
  });
}
