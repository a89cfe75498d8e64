import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { GraphAccount } from '../providers/graph/application.ts';
import { GraphMailbox } from '../providers/graph/graph-mailbox.ts';
import { FILTER_LAG_MS, openGraphProvider } from '../providers/graph/graph-provider.ts';
import { Tokens } from '../providers/graph/tokens.ts';
import type { Draft } from '../providers/provider.ts';

/** The pause between two searches, in milliseconds: far below Graph's 10,000 requests in ten minutes. */
const PAUSE_MS = 100;

/** The behaviour of a tenant that no page of Microsoft's documentation promises. */
export interface Measured {
  /** For each draft the time from the answer to its creation until the filter found it, in milliseconds, ascending. */
  readonly lagsMs: readonly number[];
  /** Whether creation and search named the same id for every draft. */
  readonly hasSameIds: boolean;
  /** Whether a draft in Deleted Items was found, with the same id. */
  readonly isFoundAfterMove: boolean;
}

/**
 * Creates drafts in a mailbox of a tenant, measures how soon the filter finds each, and removes them all.
 *
 * @throws SignInRefused when the account cannot write in the mailbox.
 * @throws Error when a draft is not found in twice the time that the platform allows for.
 */
export async function measureTenant(
  account: GraphAccount,
  drafts: number,
  signal: AbortSignal,
): Promise<Measured> {
  await openGraphProvider().signIn(account, signal);
  const mailbox = new GraphMailbox(account, new Tokens(), signal);
  const created: { readonly marker: string; readonly draft: Draft }[] = [];
  try {
    const lagsMs: number[] = [];
    let hasSameIds = true;
    for (let count = 0; count < drafts; count++) {
      const marker = randomBytes(32).toString('hex');
      const draft = await mailbox.create(testMessage(account.email, marker));
      created.push({ marker, draft });
      const createdAt = performance.now();
      hasSameIds = (await found(mailbox, marker)) === draft.draftId && hasSameIds;
      lagsMs.push(performance.now() - createdAt);
    }
    return {
      lagsMs: lagsMs.sort((one, other) => one - other),
      hasSameIds,
      isFoundAfterMove: await isFoundAfterMove(mailbox, created[0]!),
    };
  } finally {
    for (const { draft } of created) await mailbox.remove(draft.draftId);
  }
}

/** "message: move" to Deleted Items, as a person deletes a draft. */
async function isFoundAfterMove(
  mailbox: GraphMailbox,
  { marker, draft }: { marker: string; draft: Draft },
): Promise<boolean> {
  const text = JSON.stringify({ destinationId: 'deleteditems' });
  const path = `/messages/${encodeURIComponent(draft.draftId)}/move`;
  await mailbox.call('POST', path, { type: 'application/json', text });
  return (await found(mailbox, marker)) === draft.draftId;
}

/** The id of the first draft that the filter finds. */
async function found(mailbox: GraphMailbox, marker: string): Promise<string> {
  const until = performance.now() + 2 * FILTER_LAG_MS;
  while (performance.now() < until) {
    const [oldest] = await mailbox.having(marker);
    if (oldest !== undefined) return oldest.draft.draftId;
    await delay(PAUSE_MS);
  }
  throw new Error(`The filter did not find a draft within ${(2 * FILTER_LAG_MS) / 1000} s.`);
}

function testMessage(address: string, marker: string) {
  return {
    marker,
    from: { name: address, address },
    to: [address],
    cc: [],
    subject: 'A test of the Action Platform, which removes this draft',
    body: 'npm run e2e -- graph\n',
    date: new Date(),
  };
}
