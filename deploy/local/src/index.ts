export { issueToken, LOCAL_TOKEN_SECONDS } from './issuer/token.ts';
export { type LocalDirectory, localDirectory } from './local-directory.ts';
export { readStack } from './stack/stack-file.ts';
