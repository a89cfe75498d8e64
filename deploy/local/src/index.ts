/** What the admin command needs of the local stack: where it is, how to reach it, its issuer. */
export { issueToken, LOCAL_TOKEN_SECONDS } from './issuer.ts';
export { type LocalDirectory, localDirectory } from './local-directory.ts';
export { connectOperator, type OperatorAccess, readStack } from './stack/bus-access.ts';
