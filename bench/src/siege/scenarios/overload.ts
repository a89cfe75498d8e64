import { setTimeout as delay } from 'node:timers/promises';
import { processIds } from '../../environment/process-ids.ts';
import type { LoadResult } from '../../load/load.ts';
import { startLoadGenerator } from '../../load/load-generator.ts';
import type { OpenLoad, OpenResult } from '../load/open-load.ts';
import { ordinaryCalls } from '../load/ordinary-calls.ts';
import { startOpenGenerator } from '../load/start.ts';
import { type ProcessUse, watch } from '../measure/watch.ts';
import { overloadNotes, overloadRequirements } from '../report/overload-text.ts';
import type { SiegeScenario } from './scenario.ts';

const CLIENTS = 64;
const GREEDY_MEMBERS = 4;
/**
 * Enough that a call seldom waits for a connection: more than a gateway has in flight, and fewer than its limit. They are open before the
 * overload; `hostile-sockets` measures very many new connections at once.
 */
const CONNECTIONS = 1500;
const TIMES_CAPACITY = 3;
/** The part of the load before memory must be flat. */
const SETTLED_AFTER = 1 / 3;
const QUIET_PER_SECOND = 20;
const QUIET_CONNECTIONS = 40;
/** How long the quiet Workspace continues after the load. */
const AFTERWARDS_SECONDS = 15;

/** The measurements of an overload. */
export interface OverloadMeasured {
  readonly capacity: LoadResult;
  /** The quiet Workspace alone. */
  readonly quietAlone: OpenResult;
  /** Open loads below capacity, by their share of it. */
  readonly tenth: OpenResult;
  readonly half: OpenResult;
  /** Three times the capacity, and the quiet Workspace meanwhile and afterwards. */
  readonly overloaded: OpenResult;
  readonly quiet: OpenResult;
  readonly uses: Readonly<Record<string, ProcessUse>>;
  /** When the overload and its last answer ended, in milliseconds of the quiet load. */
  readonly overMs: number;
}

/** More calls of one Workspace than the platform can do, while another makes a few. */
export const overload: SiegeScenario = {
  name: 'overload',
  description: 'three times what the platform can do from one Workspace, beside a quiet one',
  async run(besieged, { seconds }) {
    const greedy = await besieged.callers('greedy', GREEDY_MEMBERS);
    const quiet = await besieged.callers('quiet', 1);
    const requests = await ordinaryCalls(greedy.api);
    const [closed, open, quietly] = [
      await startLoadGenerator(besieged.stops),
      await startOpenGenerator(besieged.stops),
      await startOpenGenerator(besieged.stops),
    ];
    const quietLoad: OpenLoad = {
      origin: besieged.origin,
      requests: await ordinaryCalls(quiet.api),
      tokens: quiet.tokens,
      perSecond: QUIET_PER_SECOND,
      seconds: seconds / 4,
      connections: QUIET_CONNECTIONS,
      keepsCalls: true,
    };
    const closedLoad = { target: besieged.platform.target, requests, clients: CLIENTS, seconds: seconds / 4 };
    const target = { driver: 'http' as const, origin: besieged.origin, token: greedy.tokens[0]! };
    await closed.run({ ...closedLoad, target });
    const quietAlone = await quietly.run(quietLoad);
    const capacity = await closed.run({ ...closedLoad, target });
    const callsPerSecond = capacity.calls / capacity.seconds;
    const load = (share: number, length: number): OpenLoad => ({
      origin: besieged.origin,
      requests,
      tokens: greedy.tokens,
      perSecond: callsPerSecond * share,
      seconds: length,
      connections: CONNECTIONS,
      keepsConnections: true,
    });
    const tenth = await open.run(load(0.1, seconds / 4));
    const half = await open.run(load(0.5, seconds / 4));

    besieged.tell(`  capacity is ${callsPerSecond.toFixed(0)} calls/s; three times that …`);
    const begun = performance.now();
    const pids = processIds(besieged.platform.processes, besieged.servers).set('load generator', open.pid);
    const ended = watch(pids, { settledAfterMs: seconds * 1000 * SETTLED_AFTER });
    const quietMeanwhile = quietly.run({ ...quietLoad, seconds: seconds + AFTERWARDS_SECONDS });
    const overloading = open.run(load(TIMES_CAPACITY, seconds));
    const watched = delay(seconds * 1000).then(() => ({ uses: ended(), overMs: performance.now() - begun }));
    const [quietResult, overloaded, { uses, overMs }] = await Promise.all([
      quietMeanwhile,
      overloading,
      watched,
    ]);
    const measured: OverloadMeasured = {
      capacity,
      quietAlone,
      tenth,
      half,
      overloaded,
      quiet: quietResult,
      uses,
      overMs,
    };
    return { requirements: overloadRequirements(measured), notes: overloadNotes(measured), measured };
  },
};
