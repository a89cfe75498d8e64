export { openSecret, type SealedSecret, SecretUnreadable, sealSecret } from './sealed-secret.ts';
export { readSecretKeys, requireKeysInUse, type SecretKeys } from './secret-keys.ts';
