export { TokenBucket } from './token-bucket.ts';
