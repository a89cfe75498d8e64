export { storedCheckpoint } from './checkpoint.ts';
export { followCommits, lastOf, numberedCommit, oneMoreCommit } from './commits.ts';
export { follow } from './followed.ts';
export { madeBy } from './made-by.ts';
export { followChanges } from './tail.ts';
