import { eventLoop } from './event-loop.ts';
import { hostileSockets } from './hostile-sockets.ts';
import { overload } from './overload.ts';
import type { SiegeScenario } from './scenario.ts';

const scenarios: readonly SiegeScenario[] = [hostileSockets, overload, eventLoop];

/** The scenarios with these names; all without any. */
export function chooseScenarios(names: readonly string[]): readonly SiegeScenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`There is no scenario ${unknown}: choose of ${known}.`);
  }
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}
