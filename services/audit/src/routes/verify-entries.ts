import { auditRoutes } from '@action-platform/contracts/resources';
import { requireOwner, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { type Tampering, verifyWorkspace } from '../blocks/verify.ts';
import type { Dependencies } from '../dependencies.ts';

/** `audit.verify_audit_log` */
export function serveVerifyEntries({ bus, chains }: Dependencies): ServedCall {
  return serveMemberRoute(
    auditRoutes.verify,
    requireOwner(bus, { whileSuspended: true }),
    async (_input, context) => {
      const { blocks, entries, found } = await verifyWorkspace(chains, context.session.workspaceId, context);
      const [first] = found;
      return { valid: first === undefined, blocks, entries, ...(first && { problem: sentenceOf(first) }) };
    },
  );
}

const whatHappened: Readonly<Record<Tampering['problem'], string>> = {
  changed: 'was changed',
  removed: 'was removed',
  swapped: 'stands in the place of another',
  added: 'was added',
  unknown_key: 'is sealed with a key that the platform no longer has',
  end_changed: 'was the last one: the end of the log was changed',
  end_removed: 'was the last one: the end of the log was removed',
};

function sentenceOf({ block, to, problem }: Tampering): string {
  if (to !== undefined) return `Blocks ${block} to ${to} were removed.`;
  return `${block === undefined ? 'A document beside the blocks' : `Block ${block}`} ${whatHappened[problem]}.`;
}
