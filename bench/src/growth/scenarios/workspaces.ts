import type { RequestTemplate } from '../../load/load.ts';
import { callOf } from '../../scenarios/scenario.ts';
import { type Comparison, compareInTurns } from '../compare.ts';
import { SMALL_PAYLOAD } from '../fill/records.ts';
import { type FilledWorkspace, fillWorkspaces } from '../fill/workspaces.ts';
import type { Side } from '../side.ts';
import type { GrowthScenario } from './scenario.ts';

/** As many as clients: few, but no fewer than can call at the same time. */
const FEW = 64;

/** Long enough for the first call of nearly every Workspace, which costs more. */
const WARM_UP_SECONDS = 8;

/** Many Workspaces, all of which call. */
export const workspaces: GrowthScenario = {
  name: 'workspaces',
  description: 'get and push as more Workspaces are active at once',
  async run(pair, options) {
    const before = { side: pair.small, active: await active(pair.small, FEW) };
    const after = { side: pair.grown, active: await active(pair.grown, options.workspaces) };
    const one = { side: pair.small, active: before.active.slice(0, 1) };
    await pair.settle();
    type Group = typeof before;
    const calls = (what: string, { side, active }: Group) => ({
      side,
      requests: [what === 'get' ? gets(active) : pushes(active)],
    });
    const comparison = (what: 'get' | 'push', was: Group, is: Group): Comparison => ({
      what: `${what}, ${is.active.length.toLocaleString('en')} Workspaces beside ${was.active.length}`,
      before: calls(what, was),
      after: calls(what, is),
      warmUpSeconds: WARM_UP_SECONDS,
    });
    return await compareInTurns(
      pair,
      [comparison('push', one, before), comparison('get', before, after), comparison('push', before, after)],
      options,
    );
  },
};

interface Active extends FilledWorkspace {
  readonly token: string;
}

async function active(side: Side, count: number): Promise<Active[]> {
  const filled = await fillWorkspaces(side, count);
  return await Promise.all(
    filled.map(async (one) => ({ ...one, token: await side.tokenFor(one.workspace, one.owner) })),
  );
}

function gets(active: readonly Active[]): RequestTemplate {
  const tokens = active.map(({ token }) => token);
  return {
    ...callOf(
      'record_store.get_record',
      active.map(({ record }) => record),
    ),
    tokens,
  };
}

function pushes(active: readonly Active[]): RequestTemplate {
  const inputs = active.map(({ record }) => ({
    collection_id: record.collection_id,
    payload: SMALL_PAYLOAD,
  }));
  return { ...callOf('record_store.push_record', inputs), tokens: active.map(({ token }) => token) };
}
