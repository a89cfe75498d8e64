import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKeys } from './secret-keys.ts';

/** AES in Galois/Counter Mode with its recommended IV, and the full tag (NIST SP 800-38D, sections 5.2.1.1 and 5.2.1.2). */
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The ids of a secret's owner: Workspace and account, for example. A sealed secret opens for no other one. */
type SecretOwner = readonly string[];

/** A secret as the database has it. */
export interface SealedSecret {
  /** The id of its key. */
  readonly key: string;
  /** IV, ciphertext and tag, in base64. */
  readonly data: string;
}

/** A sealed secret that does not open: it was altered or belongs to another owner, or its key is missing. */
export class SecretUnreadable extends Error {
  constructor(reason: string) {
    super(`A secret cannot be read: ${reason}.`);
    this.name = 'SecretUnreadable';
  }
}

/** Encrypts a secret with the newest key; throws without keys. */
export function sealSecret(
  secret: string,
  owner: SecretOwner,
  { variable, newest, byId }: SecretKeys,
): SealedSecret {
  if (newest === undefined) throw new Error(`${variable} has no key`);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, byId.get(newest)!, iv).setAAD(boundTo(owner));
  const data = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { key: newest, data: data.toString('base64') };
}

/** Decrypts a secret of its owner. Throws SecretUnreadable. */
export function openSecret(
  { key, data }: SealedSecret,
  owner: SecretOwner,
  { variable, byId }: SecretKeys,
): string {
  const secretKey = byId.get(key);
  if (secretKey === undefined) throw new SecretUnreadable(`${variable} has no key ${key}`);
  const bytes = Buffer.from(data, 'base64');
  const [iv, sealed, tag] = [
    bytes.subarray(0, IV_BYTES),
    bytes.subarray(IV_BYTES, -TAG_BYTES),
    bytes.subarray(-TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv(ALGORITHM, secretKey, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(owner)).setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    throw new SecretUnreadable('it was altered, or belongs to another owner');
  }
}

/** The additional authenticated data of a secret (NIST SP 800-38D, section 5.2.1.1). */
function boundTo(owner: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify(owner));
}
