/** What is asked of the metrics of the platform. */

export { queries } from './queries.ts';
export { type AskedFor, read } from './query.ts';
