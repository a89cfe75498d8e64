export type { Followed } from './followed.ts';
export { madeBy } from './made-by.ts';
export { storedPosition } from './position.ts';
export { followChanges } from './tail.ts';
