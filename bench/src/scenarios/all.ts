import { platformScenarios } from './platform.ts';
import { recordScenarios } from './records.ts';
import type { Scenario } from './scenario.ts';

const scenarios = [...recordScenarios, ...platformScenarios];

/** The scenarios with these names; all without any. */
export function chooseScenarios(names: readonly string[]): readonly Scenario[] {
  const known = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  if (names.length === 0) return scenarios;
  return names.map((name) => {
    const scenario = known.get(name);
    if (scenario === undefined)
      throw new Error(`There is no scenario ${name}: choose of ${[...known.keys()].join(', ')}.`);
    return scenario;
  });
}
