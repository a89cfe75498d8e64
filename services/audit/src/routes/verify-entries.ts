import { setTimeout as delay } from 'node:timers/promises';
import { auditRoutes } from '@action-platform/contracts/resources';
import { requireOwner, type ServedCall, serveMemberRoute, TextStream } from '@action-platform/service-host';
import { type Tampering, verifyWorkspace } from '../blocks/verify.ts';
import type { Dependencies } from '../dependencies.ts';

/** How long the caller gets no byte, in milliseconds. */
const SILENT_MS = 1_000;

/** `audit.verify_audit_log`: a log of any length, as long as its caller waits. */
export function serveVerifyEntries({ bus, chains }: Dependencies): ServedCall {
  return serveMemberRoute(
    auditRoutes.verify,
    requireOwner(bus, { whileSuspended: true }),
    async (_input, context) => {
      const verify = async () => {
        const { workspaceId } = context.session;
        const { blocks, entries, found } = await verifyWorkspace(chains, workspaceId, context);
        const [first] = found;
        return { valid: first === undefined, blocks, entries, ...(first && { problem: sentenceOf(first) }) };
      };
      return new TextStream(jsonOf(verify));
    },
  );
}

/** The JSON text of a result, after a space for each second until it is known: white space before a JSON text has no meaning (RFC 8259, section 2). */
async function* jsonOf(work: () => Promise<object>): AsyncGenerator<string> {
  const text = work().then((value) => JSON.stringify(value));
  // Its failure may come between two parts.
  text.catch(() => {});
  for (let part = ' '; part === ' '; yield part) part = await Promise.race([text, delay(SILENT_MS, ' ')]);
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
