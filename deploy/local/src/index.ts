/** The parts of the local stack for the admin command, the demo in containers and the end-to-end tests. */

export { type Demo, prepareDemo } from './demo-workspace.ts';
export { issueToken, jwksResponse, LOCAL_TOKEN_SECONDS, openIssuerKey } from './issuer/tokens.ts';
export { type LocalDirectory, localDirectory, makeDirectories, readJsonFile } from './local-directory.ts';
export {
  connectOperator,
  LOOK_AT_NATS,
  type OperatorAccess,
  readStack,
  writeStack,
} from './stack/bus-access.ts';
