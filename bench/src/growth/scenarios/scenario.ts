import type { Compared } from '../compare.ts';
import type { Options } from '../options.ts';
import type { Pair } from '../pair.ts';

/** Something that grows, and what must not become slower for it. */
export interface GrowthScenario {
  readonly name: string;
  readonly description: string;
  /** Has one platform of the pair grow and compares it with the other. */
  run(pair: Pair, options: Options): Promise<Compared[]>;
}
