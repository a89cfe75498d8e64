import { hash } from 'node:crypto';
import { idPrefixes } from '@action-platform/contracts/ids';
import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { SealedSecret } from '@action-platform/sealing';
import type { Settings } from '../providers/provider.ts';

/** The mailbox that an account belongs to: that of a Member, or a shared one. */
export type AccountHolder =
  | { readonly workspace_id: string; readonly user_id: string }
  /** `shared` is the address in lower case. */
  | { readonly workspace_id: string; readonly shared: string };

/** The stored account of a mailbox: where it is and how to sign in. */
export type StoredAccount = AccountHolder & {
  /** `mac_…` */
  readonly _id: string;
  readonly provider: string;
  readonly email: string;
  readonly settings: Settings;
  readonly secret?: SealedSecret;
  /** Changes whenever the account is stored, but not when the provider replaces the secret; absent on accounts of earlier versions. */
  readonly secret_id?: string;
  /** A Member named its server, so connections go to checked addresses alone. */
  readonly by_member?: true;
  /** Of a Member's account: when the membership had changed last as it was stored, in milliseconds; absent when grants did not tell. */
  readonly changed_at?: number;
  /** When its sign-in was refused last; absent while it works. */
  readonly refused_at?: Date;
  /** When the database deletes it (TTL index): its mailbox has another account now. */
  readonly expires_at?: Date;
};

/** The mailbox that an account signs in to, which stays the same when only its secret changes. */
export type AccountTarget = Pick<StoredAccount, 'provider' | 'email' | 'settings' | 'by_member'>;

/**
 * The id of an account, derived from its holder and its target: after a new password a retry finds its draft, and another
 * target is another account. A certificate is no part of it.
 */
export function accountIdOf(holder: AccountHolder, { provider, email, settings }: AccountTarget): string {
  const { ca: _, ...server } = settings;
  const sorted = Object.entries(server).sort(([one], [other]) => (one < other ? -1 : 1));
  const who = 'user_id' in holder ? ['member', holder.user_id] : ['shared', holder.shared];
  const identity = JSON.stringify([holder.workspace_id, who, provider, email.toLowerCase(), sorted]);
  return `${idPrefixes.mailAccount}_${hash('sha256', identity, 'hex').slice(0, 32)}`;
}

/**
 * The accounts, with the indexes that find refused and replaced ones, and those that a key encrypts. No export has them, because they are
 * for signing in.
 */
export const storedAccounts: StoredDocuments<StoredAccount> = {
  collection: 'accounts',
  shardKey: 'workspace_id',
  indexes: [
    {
      name: 'refused',
      key: { workspace_id: 1, refused_at: 1 },
      partialFilterExpression: { refused_at: { $exists: true } },
    },
    { name: 'member', key: { workspace_id: 1, user_id: 1 } },
    { name: 'shared', key: { workspace_id: 1, shared: 1 } },
    { name: 'key', key: { 'secret.key': 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
};
