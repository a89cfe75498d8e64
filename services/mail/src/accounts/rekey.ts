import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { openSecret, sealSecret } from '../secrets/sealed-secret.ts';
import type { SecretKeys } from '../secrets/secret-keys.ts';
import type { StoredAccount } from './stored-account.ts';

/** How many secrets one command of the database replaces. */
const BATCH = 500;
/** What remains of a call's time for its answer, in milliseconds. */
const FOR_THE_ANSWER_MS = 2_000;

/** The outcome of an encryption with the newest key. */
export interface Rekeyed {
  /** How many secrets were encrypted anew. */
  readonly moved: number;
  /** How many still need another key. */
  readonly remaining: number;
}

/**
 * Encrypts the secrets of accounts with the newest key, as many as the time of the call allows. A secret that changes at the
 * same time keeps its change.
 *
 * @throws SecretUnreadable for a secret that was altered.
 */
export async function rekeyAccounts(
  accounts: Collection<StoredAccount>,
  keys: SecretKeys,
  timed: Timed,
): Promise<Rekeyed> {
  const outdated = { 'secret.key': { $exists: true, $ne: keys.newest ?? '' } };
  let moved = 0;
  while (performance.now() < timed.deadline - FOR_THE_ANSWER_MS) {
    const found = await accounts.find(outdated, within(timed)).limit(BATCH).toArray();
    if (found.length === 0) break;
    const { modifiedCount } = await accounts.bulkWrite(
      found.map((account) => replacement(account, keys)),
      { ordered: false, ...within(timed) },
    );
    moved += modifiedCount;
  }
  return { moved, remaining: await accounts.countDocuments(outdated, within(timed)) };
}

function replacement(account: StoredAccount, keys: SecretKeys): AnyBulkWriteOperation<StoredAccount> {
  const { _id, workspace_id, secret } = account;
  const owner = { workspaceId: workspace_id, accountId: _id };
  const sealed = sealSecret(openSecret(secret!, owner, keys), owner, keys);
  return {
    updateOne: { filter: { _id, 'secret.data': secret!.data }, update: { $set: { secret: sealed } } },
  };
}
