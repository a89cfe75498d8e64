import { hash, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { upsertAgain, within } from '@action-platform/mongo';
import type { DestinationCheck } from '@action-platform/outbound-http';
import {
  openSecret,
  rekeySecrets,
  requireKeysInUse,
  type SecretKeys,
  SecretUnreadable,
  type StoredSecrets,
  sealSecret,
} from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { Account } from '../providers/provider.ts';
import { type AccountHolder, type AccountTarget, accountIdOf, type StoredAccount } from './stored-account.ts';

/** How long the account of a mailbox that has another one now stays for retries, in milliseconds. */
const REPLACED_KEPT_MS = 7 * 86_400_000;

/** An account that has not been stored yet. */
export type NewAccount = AccountTarget & {
  readonly secret: string | undefined;
  readonly secret_id?: string;
  readonly changed_at?: number;
};

/** The name of an account: its Workspace and id. */
export type AccountReference = Pick<Account, 'workspaceId' | 'accountId'>;

function filterOf({ workspaceId, accountId }: AccountReference) {
  return { _id: accountId, workspace_id: workspaceId };
}

/** An account as it was read: storing it again makes another version. */
export type AccountVersion = AccountReference & Pick<Account, 'secretId'>;

function filterAsRead(account: AccountVersion) {
  return { ...filterOf(account), secret_id: account.secretId ?? { $exists: false } };
}

/** Matches the Member's accounts that were stored before a change of the membership; all of them without its time. */
function storedBefore(changedAt: number | undefined) {
  return changedAt === undefined ? {} : { changed_at: { $not: { $gte: changedAt } } };
}

/** A stored account. */
export interface KnownAccount extends Account {
  readonly provider: string;
  /** Whether its last sign-in was refused. */
  readonly isRefused: boolean;
  /** Whether its mailbox has another account now. */
  readonly isReplaced: boolean;
}

/** The accounts of all mailboxes. Their secrets are encrypted in the database. */
export class Accounts {
  readonly #accounts: Collection<StoredAccount>;
  readonly #keys: SecretKeys;
  readonly #secrets: StoredSecrets<StoredAccount>;
  readonly #check: DestinationCheck;

  /** @param check of the servers that Members named. */
  constructor(accounts: Collection<StoredAccount>, keys: SecretKeys, check: DestinationCheck) {
    this.#accounts = accounts;
    this.#keys = keys;
    this.#check = check;
    this.#secrets = {
      collection: accounts,
      field: 'secret',
      keyPath: 'secret.key',
      update: ({ secret }, seal) => ({ $set: { secret: seal(secret!) } }),
    };
  }

  /** The id of the key that encrypts new secrets; undefined when none can be stored. */
  get newestKey(): string | undefined {
    return this.#keys.newest;
  }

  /** Throws WrongConfiguration when a key of a stored secret is missing. */
  async requireKeysInUse(): Promise<void> {
    await requireKeysInUse(this.#secrets, this.#keys);
  }

  /** Encrypts all secrets with the newest key. */
  async rekey(timed: Timed) {
    return await rekeySecrets(this.#secrets, this.#keys, timed);
  }

  /** The check of the server of an account; undefined for one that an operator named. */
  destinationOf({ by_member }: Pick<AccountTarget, 'by_member'>): DestinationCheck | undefined {
    return by_member && this.#check;
  }

  /** Stores an account whose sign-in has just worked, or replaces its secret; returns its id. */
  async put(holder: AccountHolder, { secret, ...target }: NewAccount, timed: Timed): Promise<string> {
    const accountId = accountIdOf(holder, target);
    const owner = [holder.workspace_id, accountId];
    const sealed = secret === undefined ? {} : { secret: sealSecret(secret, owner, this.#keys) };
    await upsertAgain(() =>
      this.#accounts.updateOne(
        { _id: accountId, workspace_id: holder.workspace_id },
        {
          $set: { ...holder, ...target, ...sealed },
          $unset: {
            refused_at: '',
            expires_at: '',
            ...(!target.by_member && { by_member: '' }),
            ...(target.changed_at === undefined && { changed_at: '' }),
          },
        },
        { upsert: true, ...within(timed) },
      ),
    );
    return accountId;
  }

  /**
   * An account with its secret; undefined when it was deleted.
   *
   * @throws SecretUnreadable
   */
  async find(account: AccountReference, timed: Timed): Promise<KnownAccount | undefined> {
    const { workspaceId, accountId } = account;
    const stored = await this.#accounts.findOne(filterOf(account), within(timed));
    if (stored === null) return undefined;
    const { provider, email, settings, secret: sealed, secret_id } = stored;
    const isRefused = stored.refused_at !== undefined;
    const isReplaced = stored.expires_at !== undefined;
    const destination = this.destinationOf(stored);
    const known = {
      provider,
      isRefused,
      isReplaced,
      accountId,
      workspaceId,
      email,
      settings,
      destination,
      secretId: secret_id,
    };
    if (sealed === undefined) return { ...known, secret: undefined };
    const secret = openSecret(sealed, [workspaceId, accountId], this.#keys);
    const replaceSecret = (next: string) => this.#replaceSecret(stored, next);
    return { ...known, secret, replaceSecret };
  }

  async #replaceSecret({ _id, workspace_id, secret: former }: StoredAccount, next: string): Promise<void> {
    const secret = sealSecret(next, [workspace_id, _id], this.#keys);
    const filter = { _id, workspace_id, 'secret.data': former!.data };
    await this.#accounts.updateOne(filter, { $set: { secret } }, within(inBackground));
  }

  /** Whether a mailbox has an account that is stored so, its secret included, and whose last sign-in worked. */
  async isWorking(holder: AccountHolder, account: NewAccount, timed: Timed): Promise<boolean> {
    const reference = { workspaceId: holder.workspace_id, accountId: accountIdOf(holder, account) };
    try {
      const known = await this.find(reference, timed);
      if (known === undefined || known.isRefused || known.isReplaced) return false;
      const stored = [known.email, known.settings, known.destination !== undefined];
      const given = [account.email, account.settings, account.by_member ?? false];
      return isDeepStrictEqual(stored, given) && isEqualSecret(known.secret, account.secret);
    } catch (error) {
      if (error instanceof SecretUnreadable) return false;
      throw error;
    }
  }

  /** The ids of the Workspace's accounts whose sign-in was refused last. */
  async refused(workspaceId: string, timed: Timed): Promise<ReadonlySet<string>> {
    const refused = this.#accounts.find(
      { workspace_id: workspaceId, refused_at: { $exists: true } },
      { projection: { _id: 1 }, ...within(timed) },
    );
    return new Set((await refused.toArray()).map(({ _id }) => _id));
  }

  /** Records that the sign-in of an account was refused, until one works; nothing when the account was stored again since. */
  async markRefused(account: AccountVersion, timed: Timed): Promise<void> {
    const refused = { $currentDate: { refused_at: true } } as const;
    await this.#accounts.updateOne(filterAsRead(account), refused, within(timed));
  }

  /** Records that a sign-in of an account worked; nothing when the account was stored again since. */
  async markWorking(account: AccountVersion, timed: Timed): Promise<void> {
    const filter = { ...filterAsRead(account), refused_at: { $exists: true } };
    await this.#accounts.updateOne(filter, { $unset: { refused_at: '' } }, within(timed));
  }

  /** Claims the next sign-in to a refused account; false within this time of the last one, or when the account works. */
  async claimRecheck(account: AccountReference, pauseMs: number, timed: Timed): Promise<boolean> {
    const pauseEnded = { $lte: ['$refused_at', { $subtract: ['$$NOW', pauseMs] }] };
    const { modifiedCount } = await this.#accounts.updateOne(
      { ...filterOf(account), refused_at: { $exists: true }, $expr: pauseEnded },
      { $currentDate: { refused_at: true } },
      within(timed),
    );
    return modifiedCount === 1;
  }

  /**
   * Lets every account of a mailbox expire except the one that it has now, if any.
   *
   * @param changedAt the time of the change that the call is about: accounts that were stored after it stay as they are.
   */
  async keepOnly(
    holder: AccountHolder,
    accountId: string | undefined,
    timed: Timed,
    changedAt?: number,
  ): Promise<void> {
    const expires_at = new Date(Date.now() + REPLACED_KEPT_MS);
    const others = {
      ...holder,
      ...storedBefore(changedAt),
      _id: { $ne: accountId ?? '' },
      expires_at: { $exists: false },
    };
    await this.#accounts.updateMany(others, { $set: { expires_at } }, within(timed));
    if (accountId === undefined) return;
    const kept = { _id: accountId, workspace_id: holder.workspace_id };
    await this.#accounts.updateOne(kept, { $unset: { expires_at: '' } }, within(timed));
  }

  /**
   * Deletes the accounts of a Member's mailbox, with their secrets, that were stored before a change of the membership: the call about a
   * change may arrive after the Member has connected the mailbox again.
   */
  async removeBefore(holder: AccountHolder, changedAt: number | undefined, timed: Timed): Promise<void> {
    await this.#accounts.deleteMany({ ...holder, ...storedBefore(changedAt) }, within(timed));
  }

  /** The accounts of a mailbox, for `remove`. */
  async versions({ workspace_id, ...holder }: AccountHolder, timed: Timed): Promise<AccountVersion[]> {
    const found = this.#accounts.find(
      { workspace_id, ...holder },
      { projection: { secret_id: 1 }, ...within(timed) },
    );
    const version = ({ _id: accountId, secret_id: secretId }: Pick<StoredAccount, '_id' | 'secret_id'>) => ({
      workspaceId: workspace_id,
      accountId,
      secretId,
    });
    return (await found.toArray()).map(version);
  }

  /** Deletes accounts, with their secrets, unless they were stored again since they were read. */
  async remove(versions: readonly AccountVersion[], timed: Timed): Promise<void> {
    for (const version of versions) await this.#accounts.deleteOne(filterAsRead(version), within(timed));
  }
}

/** Compares two secrets in a time that tells nothing about them. */
function isEqualSecret(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
