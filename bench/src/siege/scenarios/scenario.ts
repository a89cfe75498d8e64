import type { Besieged } from '../besieged.ts';
import type { Options } from '../options.ts';

/** Something that is demanded of the platform, and what was seen. */
export interface Demand {
  readonly what: string;
  readonly demanded: string;
  readonly seen: string;
  readonly isMet: boolean;
}

/** What came of a scenario. */
export interface Finding {
  readonly demands: readonly Demand[];
  /** What helps to judge them, a line each. */
  readonly notes: readonly string[];
  /** All that was measured. */
  readonly measured: object;
}

/** A way to besiege the platform, which is started for it alone. */
export interface SiegeScenario {
  readonly name: string;
  readonly description: string;
  /** What Node.js is told on the command line, in every process of the platform. */
  nodeFlags?(folder: string): readonly string[];
  run(besieged: Besieged, options: Options): Promise<Finding>;
}
