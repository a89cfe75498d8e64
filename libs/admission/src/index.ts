export { AdaptiveLimit } from './adaptive-limit.ts';
export { Admission, type Arrival } from './admission.ts';
export { byteBudget, countedBytes } from './byte-budget.ts';
export { ConcurrencyLimiter } from './concurrency-limiter.ts';
export { FairQueue } from './fair-queue.ts';
export {
  type FairnessKey,
  NEWCOMERS,
  readFairnessKey,
  workspaceIn,
  writeFairnessKey,
} from './fairness-key.ts';
export { TokenBucket } from './token-bucket.ts';
