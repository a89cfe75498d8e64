import type { Surroundings } from '../requests/hard-request.ts';

/** Hard requests: so many of all kinds mixed, or each kind by itself so often, one request at a time. */
export type Flood = {
  readonly origin: string;
  readonly tokens: readonly string[];
  readonly surroundings: Surroundings;
} & ({ readonly mixed: number; readonly clients: number } | { readonly repeats: number });

/** One request of a flood; times as `sharedNow` gives them. */
export interface FloodedRequest {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** The status of the answer, or why there was none. */
  readonly outcome: string;
}
