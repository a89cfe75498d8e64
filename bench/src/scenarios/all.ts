import { platformScenarios } from './platform.ts';
import { recordScenarios } from './records.ts';
import type { Scenario } from './scenario.ts';

/** In the order in which they are run. */
export const scenarios: readonly Scenario[] = [...recordScenarios, ...platformScenarios];
