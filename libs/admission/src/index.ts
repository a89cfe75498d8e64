export { AdaptiveLimit } from './adaptive-limit.ts';
export { Admission, type Arrival } from './admission.ts';
export { byteBudget, countedBytes } from './byte-budget.ts';
export { ConcurrencyLimiter } from './concurrency-limiter.ts';
export { type FairnessKey, readFairnessKey, writeFairnessKey } from './fairness-key.ts';
export { Load } from './load.ts';
