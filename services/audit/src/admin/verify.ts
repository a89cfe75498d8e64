import { verifyAudit } from '@action-platform/contracts';
import { whileAwaited, within } from '@action-platform/mongo';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { blockId, blocksOf, numberOf, type StoredBlock } from '../blocks/stored-block.ts';
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
    const verified = await verifyChain({
      // The end is read first: blocks may follow it meanwhile, and are no contradiction.
      end: (await ends.findOne({ _id: workspace }, within(context))) ?? undefined,
      blocks: whileAwaited<StoredBlock>(kept.sort({ _id: 1 }), context),
      now,
    });
    const known = block === undefined ? null : await blocks.findOne({ _id: blockId(workspace, block) });
    const rewritten: Tampering[] =
      known !== null && hash !== undefined && known.hash !== hash
        ? [{ block: numberOf(known), problem: 'changed' }]
        : [];
    const found = [...rewritten, ...verified.found].slice(0, MOST_NAMED);
    const { first: first_block, last: last_block, ...rest } = verified;
    return { ...rest, valid: found.length === 0, first_block, last_block, found };
  });
}
