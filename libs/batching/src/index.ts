export { batchedLookup } from './batched-lookup.ts';
export { Batcher, type Outcome } from './batcher.ts';
