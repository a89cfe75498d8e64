import type { Compared } from '../compare.ts';
import type { Options } from '../options.ts';
import type { Pair } from '../pair.ts';

/** Data that grows, and calls that must not become slower. */
export interface GrowthScenario {
  readonly name: string;
  readonly description: string;
  /** Fills one platform of the pair and compares it with the other. */
  run(pair: Pair, options: Options): Promise<Compared[]>;
}
