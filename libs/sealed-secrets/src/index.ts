export { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './sealed-secret.ts';
export { readSecretKeys, type SecretKeys } from './secret-keys.ts';
export { rekeySecrets, requireKeysInUse, type StoredSecrets } from './stored-secrets.ts';
