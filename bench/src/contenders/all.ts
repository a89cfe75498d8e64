import type { Contender, Environment } from './contender.ts';
import { startGroupCommit, startHttpEcho, startInserts, startNatsEcho } from './floors/floors.ts';
import { type PlatformVersion, startPlatform } from './platform/platform.ts';
import { startSameWork } from './same-work/contender.ts';

type Start = (environment: Environment) => Promise<Contender>;

/** The others, by the names that `--contenders` takes. */
const others: Readonly<Record<string, readonly Start[]>> = {
  monolith: [(environment) => startSameWork('monolith', ['monolith'], environment)],
  moleculer: [
    (environment) => startSameWork('moleculer', ['grants', 'record-store', 'gateway'], environment),
  ],
  nest: [(environment) => startSameWork('nest', ['grants', 'record-store', 'gateway'], environment)],
  floors: [startHttpEcho, startNatsEcho, startInserts, startGroupCommit],
};

/** Starts the platform in these versions and the other contenders with these names; all of them for an empty list. */
export async function startContenders(
  versions: readonly PlatformVersion[],
  names: readonly string[],
  environment: Environment,
): Promise<Contender[]> {
  const starts = [
    ...versions.map(
      (version): Start =>
        (given) =>
          startPlatform(version, given),
    ),
    ...(names.length === 0 ? Object.keys(others) : names).flatMap(startsOf),
  ];
  const contenders: Contender[] = [];
  for (const start of starts) contenders.push(await start(environment));
  return contenders;
}

function startsOf(name: string): readonly Start[] {
  if (name === 'none') return [];
  const starts = others[name];
  if (starts === undefined) {
    throw new Error(`There is no contender ${name}: choose of ${Object.keys(others).join(', ')}, none.`);
  }
  return starts;
}
