import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startWorker } from '../../environment/worker.ts';
import type { Flood, FloodedRequest } from '../load/flood.ts';
import type { LoopReport } from '../measure/loop-report.ts';
import { readLoops, startIdle, watchingLoops } from '../measure/loops.ts';
import { loopDemands, loopNotes } from '../report/loop-text.ts';
import { makeSurroundings } from '../requests/surroundings.ts';
import type { SiegeScenario } from './scenario.ts';

const CLIENTS = 8;
/** How often each kind of request is sent by itself. */
const REPEATS = 5;

/** What was measured of event loops. */
export interface LoopsMeasured {
  /** By process, `idle` among them. */
  readonly mixed: Readonly<Record<string, LoopReport>>;
  readonly requests: readonly FloodedRequest[];
  /** The same with one request at a time, so that each delay has one cause. */
  readonly apart: Readonly<Record<string, LoopReport>>;
  readonly requestsApart: readonly FloodedRequest[];
}

const loopFolder = (folder: string) => join(folder, 'loops');

/** Requests of the largest size and the deepest nesting, and how long they hold up each process. */
export const eventLoop: SiegeScenario = {
  name: 'event-loop',
  description: 'requests of the largest size and nesting, and how long they hold up each process',
  nodeFlags: (folder) => watchingLoops(loopFolder(folder)),
  async run(besieged, { requests: count }) {
    const idle = await startIdle(besieged.processes);
    const callers = await besieged.callers('heavy', 1);
    const surroundings = await makeSurroundings(besieged, callers);
    const flood = { origin: besieged.origin, tokens: callers.tokens, surroundings };
    const script = fileURLToPath(new URL('../load/flooder.ts', import.meta.url));
    const flooder = await startWorker<Flood, FloodedRequest[]>('The flooder', script, besieged.stops);
    const watched = [...besieged.platform.processes, idle];
    const folder = loopFolder(besieged.folder);

    besieged.tell('  many kinds of requests at once …');
    await readLoops(folder, watched);
    const requests = await flooder.run({ ...flood, mixed: count, clients: CLIENTS });
    const mixed = await readLoops(folder, watched);
    besieged.tell('  each kind by itself …');
    const requestsApart = await flooder.run({ ...flood, repeats: REPEATS });
    const apart = await readLoops(folder, watched);
    const measured: LoopsMeasured = { mixed, requests, apart, requestsApart };
    return { demands: loopDemands(measured), notes: loopNotes(measured), measured };
  },
};
