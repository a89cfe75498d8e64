import type { RequestTemplate } from '../../load/load.ts';
import { callOf } from '../../scenarios/scenario.ts';
import { type Comparison, compareInTurns } from '../compare.ts';
import { type FilledWorkspace, fillGrantsOfCaller, fillWorkspaces } from '../fill/workspaces.ts';
import type { Side } from '../side.ts';
import type { GrowthScenario } from './scenario.ts';

/** The size of the small side, and how many Workspaces the grants come from: the platform records a grant's first use in a minute. */
const FEW = 100;

const DISCOVERY = { weight: 1, method: 'GET', path: '/api/v1/operations' } as const;

/** Many Members and grants; the caller and the Workspace have as many grants as the limits allow. */
export const authority: GrowthScenario = {
  name: 'authority',
  description: 'discovery and authority as there are more Members and grants',
  async run(pair, options) {
    const { small, grown } = pair;
    const few = await fillWorkspaces(small, FEW);
    const many = await fillWorkspaces(grown, options.workspaces);
    await fillGrantsOfCaller(grown);
    await pair.settle();
    const every = Math.max(1, Math.floor(many.length / FEW));
    const some = many.filter((_, index) => index % every === 0);
    const grants = (options.workspaces * 10).toLocaleString('en');
    const comparison = (
      what: string,
      calls: (side: Side, workspaces: readonly FilledWorkspace[]) => RequestTemplate,
    ): Comparison => ({
      what: `${what}, ${grants} Members and grants`,
      before: { side: small, requests: [calls(small, few)] },
      after: { side: grown, requests: [calls(grown, some)] },
    });
    return await compareInTurns(
      pair,
      [
        comparison('discovery of a Member', () => ({ ...DISCOVERY, bodies: [''] })),
        comparison('discovery with grants', (_, workspaces) => {
          const tokens = workspaces.flatMap(({ secrets }) => secrets);
          return { ...DISCOVERY, bodies: tokens.map(() => ''), tokens };
        }),
        comparison('get with grants', (_, workspaces) => getsWithGrants(workspaces)),
      ],
      options,
    );
  },
};

function getsWithGrants(workspaces: readonly FilledWorkspace[]): RequestTemplate {
  const calls = workspaces.flatMap(({ record, secrets }) => secrets.map((secret) => ({ record, secret })));
  return {
    ...callOf(
      'record_store.get_record',
      calls.map(({ record }) => record),
    ),
    tokens: calls.map(({ secret }) => secret),
  };
}
