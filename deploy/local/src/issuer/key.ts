import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';

/** What session tokens of the local stack say about themselves. */
export const LOCAL_ISSUER = 'urn:action-platform:local-issuer';
export const LOCAL_AUDIENCE = 'action-platform';
export const LOCAL_ALGORITHM = 'EdDSA';

/** The key of the local issuer, as JWKs (RFC 7517). */
export interface IssuerKey {
  readonly publicKey: JWK;
  readonly privateKey: JWK;
}

const fileIn = ({ keys }: LocalDirectory) => join(keys, 'issuer.json');

/** The issuer's key; made at the first start. */
export async function openIssuerKey(directory: LocalDirectory): Promise<IssuerKey> {
  const kept = readIssuerKey(directory);
  if (kept !== undefined) return kept;
  const pair = await generateKeyPair(LOCAL_ALGORITHM, { extractable: true });
  const about = { kid: crypto.randomUUID(), alg: LOCAL_ALGORITHM, use: 'sig' };
  const key = {
    publicKey: { ...(await exportJWK(pair.publicKey)), ...about },
    privateKey: { ...(await exportJWK(pair.privateKey)), ...about },
  };
  writeJsonFile(fileIn(directory), key);
  return key;
}

/** The issuer's key, once the stack was started here. */
export function readIssuerKey(directory: LocalDirectory): IssuerKey | undefined {
  return readJsonFile<IssuerKey>(fileIn(directory));
}
