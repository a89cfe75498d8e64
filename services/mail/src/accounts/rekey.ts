import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import { openSecret, type SecretKeys, SecretUnreadable, sealSecret } from '@action-platform/sealed-secrets';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
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
 * same time keeps its change; one that does not open stays as it is.
 */
export async function rekeyAccounts(
  accounts: Collection<StoredAccount>,
  keys: SecretKeys,
  timed: Timed,
): Promise<Rekeyed> {
  const outdated = { 'secret.key': { $exists: true, $ne: keys.newest ?? '' } };
  let moved = 0;
  let lastId = '';
  while (performance.now() < timed.deadline - FOR_THE_ANSWER_MS) {
    const further = { ...outdated, _id: { $gt: lastId } };
    const found = await accounts.find(further, within(timed)).sort({ _id: 1 }).limit(BATCH).toArray();
    if (found.length === 0) break;
    lastId = found.at(-1)!._id;
    const replacements = found.flatMap((account) => replacement(account, keys) ?? []);
    if (replacements.length === 0) continue;
    const { modifiedCount } = await accounts.bulkWrite(replacements, { ordered: false, ...within(timed) });
    moved += modifiedCount;
  }
  return { moved, remaining: await accounts.countDocuments(outdated, within(timed)) };
}

function replacement(
  { _id, workspace_id, secret }: StoredAccount,
  keys: SecretKeys,
): AnyBulkWriteOperation<StoredAccount> | undefined {
  const owner = [workspace_id, _id];
  try {
    const sealed = sealSecret(openSecret(secret!, owner, keys), owner, keys);
    const filter = { _id, 'secret.data': secret!.data };
    return { updateOne: { filter, update: { $set: { secret: sealed } } } };
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}
