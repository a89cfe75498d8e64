import type { Requests } from '../load/load.ts';
import type { Side } from './pair.ts';

/** A call that must not become slower as the data grows. */
export interface GrowingCall {
  readonly requests: Requests;
  /** How many clients make it at the same time; 64 by default. */
  readonly clients?: number;
  /** The items that each call returns; 1 by default. */
  readonly perCall?: number;
  readonly warmUpSeconds?: number;
}

export type GrowingCalls = Readonly<Record<string, GrowingCall>>;

export interface GrowthScenario {
  readonly what: string;
  /** The size on the small platform, and the option with that on the grown one, or the size itself. */
  readonly small: number;
  readonly grown: 'records' | 'revisions' | 'workspaces' | number;
  readonly fill: (side: Side, size: number) => Promise<GrowingCalls>;
}
