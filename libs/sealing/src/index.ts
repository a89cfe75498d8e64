export { Cursors } from './cursors/cursors.ts';
export { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './secrets/sealed-secret.ts';
export { keysFor, readSecretKeys, type SecretKeys } from './secrets/secret-keys.ts';
export { rekeySecrets, requireKeysInUse, type StoredSecrets } from './secrets/stored-secrets.ts';
