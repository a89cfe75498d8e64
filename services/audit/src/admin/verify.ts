import { verifyAudit } from '@action-platform/contracts';
import { whileAwaited, within } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { blockId, blocksOf, type StoredBlock } from '../blocks/stored-block.ts';
import { type Tampering, verifyChain } from '../blocks/verify.ts';
import type { Dependencies } from '../dependencies.ts';

/** How many blocks the database returns at once. */
const READ_TOGETHER = 8;
/** How much tampering an answer names. */
const MOST_NAMED = 100;

/** `admin.audit.verify` */
export function serveVerifyAudit({ chains: { blocks, ends } }: Dependencies): ServedCall {
  return serveCall(verifyAudit, async ({ workspace, block, hash }, context) => {
    const now = new Date();
    const kept = blocks.find(
      { ...blocksOf(workspace), expires_at: { $gt: now } },
      { ...within(context), batchSize: READ_TOGETHER },
    );
    // The end is read first: blocks may follow it meanwhile, and are no contradiction.
    const end = (await ends.findOne({ _id: workspace }, within(context))) ?? undefined;
    const verified = await verifyChain({
      end,
      blocks: whileAwaited<StoredBlock>(kept.sort({ _id: 1 }), context),
      now,
    });
    const { first: first_block, last: last_block, ...rest } = verified;
    const rewritten: Tampering[] = [];
    if (block !== undefined) {
      const known = await blocks.findOne({ _id: blockId(workspace, block) }, within(context));
      const isBeyondEnd = block > Math.max(end?.number ?? -1, last_block ?? -1);
      if (isBeyondEnd) rewritten.push({ block, problem: 'removed' });
      else if (known !== null && hash !== undefined && known.hash !== hash)
        rewritten.push({ block, problem: 'changed' });
    }
    const found = [...rewritten, ...verified.found].slice(0, MOST_NAMED);
    return { ...rest, valid: found.length === 0, first_block, last_block, found };
  });
}
