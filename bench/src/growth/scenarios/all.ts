import { authority } from './authority.ts';
import { history } from './history.ts';
import { quota } from './quota.ts';
import { records } from './records.ts';
import type { GrowthScenario } from './scenario.ts';
import { workspaces } from './workspaces.ts';

const scenarios: readonly GrowthScenario[] = [records, history, authority, workspaces, quota];

/** The scenarios with these names; all without any. */
export function chooseScenarios(names: readonly string[]): readonly GrowthScenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`There is no scenario ${unknown}: choose of ${known}.`);
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}
