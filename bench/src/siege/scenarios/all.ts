import { hostileSockets } from './hostile-sockets.ts';
import { largeBodies } from './large-bodies.ts';
import { overload } from './overload.ts';
import type { SiegeScenario } from './scenario.ts';

/** In the order in which they are run. */
export const scenarios: readonly SiegeScenario[] = [hostileSockets, overload, largeBodies];
