import { defaultLimits } from '@action-platform/contracts';
import { compareInTurns } from '../compare.ts';
import { GrowingCollection } from '../fill/records.ts';
import { pushes } from './records.ts';
import type { GrowthScenario } from './scenario.ts';

const FULL = 0.99;
const LARGE_BYTES = 100_000;

/** A Workspace whose quota is nearly used up. */
export const quota: GrowthScenario = {
  name: 'quota',
  description: 'push into a Workspace that is 99 % full',
  async run(pair, options) {
    const { small, grown } = pair;
    const { WORKSPACE_QUOTA_BYTES: bytes } = defaultLimits;
    const large = await GrowingCollection.start(grown, { text: 'x'.repeat(LARGE_BYTES) });
    await large.growTo(Math.floor((bytes * FULL) / LARGE_BYTES));
    await grown.operator('quota', 'set', '--workspace', grown.caller.workspace, '--bytes', String(bytes));
    await pair.settle();
    const [before, after] = [await GrowingCollection.start(small), await GrowingCollection.start(grown)];
    return await compareInTurns(
      pair,
      [
        {
          what: `push, ${FULL * 100} % of the quota used`,
          before: { side: small, requests: [pushes(before)] },
          after: { side: grown, requests: [pushes(after)] },
        },
      ],
      options,
    );
  },
};
