import type { Finding } from '../../report/finding.ts';
import type { Besieged } from '../besieged.ts';
import type { Options } from '../options.ts';

/** An attack on a platform that is started for it alone. */
export interface SiegeScenario {
  readonly name: string;
  readonly description: string;
  run(besieged: Besieged, options: Options): Promise<Finding>;
}
