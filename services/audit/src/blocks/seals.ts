import { createHmac } from 'node:crypto';
import { keysFor, type SecretKeys } from '@action-platform/sealing';

/** Why a seal does not hold: what it seals was changed, or its key is no longer among the keys of the deployment. */
export type BrokenSeal = 'changed' | 'unknown_key';

/** Seals blocks and ends of chains (HMAC-SHA256) with the keys of the deployment, which are not in the database. */
export class Seals {
  readonly #keys: SecretKeys;

  constructor(keys: SecretKeys) {
    this.#keys = keysFor('seals of the audit log', keys);
  }

  /** The seal of a text: the id of its key, a colon and the code. */
  of(text: string, key = this.#keys.newest!): string {
    return `${key}:${createHmac('sha256', this.#keys.byId.get(key)!).update(text).digest('hex')}`;
  }

  /** Why a seal is not that of a text; undefined when it is. */
  problemOf(text: string, seal: unknown): BrokenSeal | undefined {
    if (typeof seal !== 'string') return 'changed';
    const key = seal.split(':', 1)[0]!;
    if (!this.#keys.byId.has(key)) return 'unknown_key';
    return seal === this.of(text, key) ? undefined : 'changed';
  }
}
