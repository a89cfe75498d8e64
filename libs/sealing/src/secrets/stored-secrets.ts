import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { invalidRequest } from '@action-platform/contracts/errors';
import { within } from '@action-platform/mongo';
import type { AnyBulkWriteOperation, Collection, Filter, UpdateFilter } from 'mongodb';
import { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './sealed-secret.ts';
import type { SecretKeys } from './secret-keys.ts';

/** How many documents one command of the database replaces. */
const BATCH = 500;
/** The part of a call's time that its answer keeps, in milliseconds. */
const FOR_THE_ANSWER_MS = 2_000;

/** A document whose secrets belong to its Workspace and its id. */
interface Owning {
  readonly _id: string;
  readonly workspace_id: string;
}

/** A collection with sealed secrets. */
export interface StoredSecrets<Stored extends Owning> {
  readonly collection: Collection<Stored>;
  /** The field with the secrets. */
  readonly field: keyof Stored & string;
  /** The path of the ids of their keys. */
  readonly keyPath: string;
  /** The update that seals each secret of a document anew. */
  update(stored: Stored, seal: (secret: SealedSecret) => SealedSecret): UpdateFilter<Stored>;
}

/** The outcome of an encryption with the newest key. */
interface Rekeyed {
  /** The id of the newest key. */
  readonly key: string;
  /** How many documents have secrets that were encrypted anew. */
  readonly moved: number;
  /** How many still need another key. */
  readonly remaining: number;
}

/** Throws WrongConfiguration when a key with which stored secrets are encrypted is not among the keys. */
export async function requireKeysInUse<Stored extends Owning>(
  secrets: StoredSecrets<Stored>,
  { variable, byId }: SecretKeys,
): Promise<void> {
  const missing = (await keysInUse(secrets, inBackground)).filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  throw new WrongConfiguration([`${variable}: stored secrets need the key ${missing.join(', ')}`]);
}

/**
 * Encrypts stored secrets with the newest key, as many as the time of the call allows. A secret that changes at the same time
 * keeps its change; a secret that does not open stays as it is.
 *
 * @throws ActionError `invalid_request` without keys.
 */
export async function rekeySecrets<Stored extends Owning>(
  secrets: StoredSecrets<Stored>,
  keys: SecretKeys,
  timed: Timed,
): Promise<Rekeyed> {
  const { newest: key, variable } = keys;
  if (key === undefined) throw invalidRequest(`The service has no key: set ${variable}.`);
  const { collection, keyPath } = secrets;
  const outdated = async () => {
    const former = (await keysInUse(secrets, timed)).filter((id) => id !== key);
    return { [keyPath]: { $in: former } } as Filter<Stored>;
  };
  const before = await outdated();
  let moved = 0;
  let lastId = '';
  while (performance.now() < timed.deadline - FOR_THE_ANSWER_MS) {
    const further = { ...before, _id: { $gt: lastId } } as Filter<Stored>;
    const found = await collection.find(further, within(timed)).sort({ _id: 1 }).limit(BATCH).toArray();
    if (found.length === 0) break;
    lastId = found.at(-1)!._id;
    const replacements = found.flatMap((stored) => replacement(stored as Stored, secrets, keys) ?? []);
    if (replacements.length === 0) continue;
    const { modifiedCount } = await collection.bulkWrite(replacements, { ordered: false, ...within(timed) });
    moved += modifiedCount;
  }
  return { key, moved, remaining: await collection.countDocuments(await outdated(), within(timed)) };
}

/** The ids of the keys that encrypt the stored secrets. */
async function keysInUse<Stored extends Owning>(
  { collection, keyPath }: StoredSecrets<Stored>,
  timed: Timed,
): Promise<string[]> {
  const hasSecret = { [keyPath]: { $exists: true } } as Filter<Stored>;
  return await collection.distinct(keyPath, hasSecret, within(timed));
}

function replacement<Stored extends Owning>(
  stored: Stored,
  { field, update }: StoredSecrets<Stored>,
  keys: SecretKeys,
): AnyBulkWriteOperation<Stored> | undefined {
  const owner = [stored.workspace_id, stored._id];
  const seal = (secret: SealedSecret) => sealSecret(openSecret(secret, owner, keys), owner, keys);
  try {
    const filter = { _id: stored._id, [field]: stored[field] } as Filter<Stored>;
    return { updateOne: { filter, update: update(stored, seal) } };
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}
