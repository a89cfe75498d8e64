import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { WrongConfiguration } from '@action-platform/contracts/configuration';

/** The length of a key of AES-256, in bytes. */
const KEY_BYTES = 32;

/** The keys that encrypt the secrets of a service. */
export interface SecretKeys {
  /** The environment variable with the keys. */
  readonly variable: string;
  /** The id of the key that encrypts new secrets; undefined without keys. */
  readonly newest: string | undefined;
  /** Every key that decrypts, by id. */
  readonly byId: ReadonlyMap<string, KeyObject>;
}

/**
 * Reads `id:key` separated by commas or white space, each key 32 bytes in base64. The first key is the newest. Throws WrongConfiguration,
 * which names no key but ids.
 *
 * @param variable the environment variable with the list.
 */
export function readSecretKeys(variable: string, list = ''): SecretKeys {
  const byId = new Map<string, KeyObject>();
  for (const entry of list.split(/[\s,]+/).filter((part) => part !== '')) {
    const [id = '', encoded = '', ...rest] = entry.split(':');
    const bytes = Buffer.from(encoded, 'base64');
    if (!/^[\w.-]{1,64}$/.test(id) || rest.length > 0 || bytes.length !== KEY_BYTES) {
      throw new WrongConfiguration([
        `${variable}: entry ${byId.size + 1} is not an id, a colon and ${KEY_BYTES} bytes in base64`,
      ]);
    }
    if (byId.has(id)) throw new WrongConfiguration([`${variable}: the id ${id} is there twice`]);
    byId.set(id, createSecretKey(bytes));
  }
  return { variable, newest: byId.keys().next().value, byId };
}

/** The keys of one purpose, with the same ids (HKDF, RFC 5869): they open nothing of another purpose. */
export function keysFor(purpose: string, { byId, ...keys }: SecretKeys): SecretKeys {
  const derived = (key: KeyObject) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));
  return { ...keys, byId: new Map([...byId].map(([id, key]) => [id, derived(key)])) };
}
