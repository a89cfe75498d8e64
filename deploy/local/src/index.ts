/** What the admin command and the demo in containers need of the local stack: where it is, how to reach it, its issuer. */

export { prepareDemo } from './demo-workspace.ts';
export { issueToken, jwksResponse, LOCAL_TOKEN_SECONDS, openIssuerKey } from './issuer.ts';
export { type LocalDirectory, localDirectory, makeDirectories } from './local-directory.ts';
export { connectOperator, type OperatorAccess, readStack } from './stack/bus-access.ts';
export { steerless } from './steerless.ts';
