import { authority } from './authority.ts';
import { history } from './history.ts';
import { quota } from './quota.ts';
import { records } from './records.ts';
import type { GrowthScenario } from './scenario.ts';
import { workspaces } from './workspaces.ts';

/** In the order in which they are run. */
export const scenarios: readonly GrowthScenario[] = [records, history, authority, workspaces, quota];
