import { inBackground, WrongConfiguration } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { SecretKeys } from '../secrets/secret-keys.ts';
import type { StoredAccount } from './stored-account.ts';

/** Throws WrongConfiguration when a stored secret needs a key that the service does not have. */
export async function requireKeysInUse(
  accounts: Collection<StoredAccount>,
  { byId }: SecretKeys,
): Promise<void> {
  const hasSecret = { 'secret.key': { $exists: true } };
  const inUse: string[] = await accounts.distinct('secret.key', hasSecret, within(inBackground));
  const missing = inUse.filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  throw new WrongConfiguration([`MAIL_SECRET_KEYS: stored secrets need the key ${missing.join(', ')}`]);
}
