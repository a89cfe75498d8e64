import { objectives, windows } from '../objectives.ts';
import { answeredOperations, failedRequests, fastOperations, requests } from './metrics.ts';

/** A rule of Prometheus that keeps the result of a query under a name. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

/** The name of the part of all requests that failed, in a window. */
export const unavailability = (window: string): string => `platform:requests_failed:ratio_rate${window}`;
/** The name of the part of the answered operations that were slow. */
export const slowness = (window: string): string => `platform:operations_slow:ratio_rate${window}`;

/** What the objectives are measured by, in each window that alerts look at. */
export const recordingRules: readonly RecordingRule[] = windows.flatMap((window) => [
  { record: unavailability(window), expr: `${failedRequests(window)} / ${requests(window)}` },
  {
    record: slowness(window),
    expr: `1 - ${fastOperations(window, objectives.fastSeconds)} / ${answeredOperations(window)}`,
  },
]);
