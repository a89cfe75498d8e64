export { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './sealed-secret.ts';
export { keysFor, readSecretKeys, type SecretKeys } from './secret-keys.ts';
export { rekeySecrets, requireKeysInUse, type StoredSecrets } from './stored-secrets.ts';
