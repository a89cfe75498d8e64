import type { RequestTemplate } from '../../load/load.ts';
import { callOf } from '../../scenarios/scenario.ts';
import { type Compared, type Comparison, compareInTurns } from '../compare.ts';
import { cursorAfter } from '../cursor.ts';
import { GrowingCollection, SMALL_PAYLOAD } from '../fill/records.ts';
import type { Side } from '../side.ts';
import type { GrowthScenario } from './scenario.ts';

/** The Records of the small side, and of the grown one at the start: so many that clients seldom use the same one. */
const FIRST = 10_000;

/** A Collection that grows. */
export const records: GrowthScenario = {
  name: 'records',
  description: 'push, get and list as a Collection grows',
  async run(pair, options) {
    const [small, grown] = [
      await GrowingCollection.start(pair.small),
      await GrowingCollection.start(pair.grown),
    ];
    await small.growTo(FIRST);
    const compared: Compared[] = [];
    for (const size of [FIRST, options.records / 5, options.records]) {
      const begun = performance.now();
      await grown.growTo(size);
      await pair.settle();
      pair.tell(`  ${size} Records after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      const comparison = (
        what: string,
        calls: (collection: GrowingCollection) => RequestTemplate,
      ): Comparison => ({
        what: `${what}, ${size.toLocaleString('en')} Records`,
        before: { side: pair.small, requests: [calls(small)] },
        after: { side: pair.grown, requests: [calls(grown)] },
      });
      const bySize = [
        comparison('push', pushes),
        comparison('keyed push', keyedPushes),
        comparison('get', gets),
      ];
      const byPosition =
        size === options.records ? [0.5, 1].map((part) => listing(pair.grown, grown, part)) : [];
      compared.push(...(await compareInTurns(pair, [...bySize, ...byPosition], options)));
    }
    return compared;
  },
};

/** Pushes into a Collection. */
export function pushes({ id }: GrowingCollection): RequestTemplate {
  return callOf('record_store.push_record', [{ collection_id: id, payload: SMALL_PAYLOAD }]);
}

function keyedPushes({ id }: GrowingCollection): RequestTemplate {
  const push = { collection_id: id, payload: SMALL_PAYLOAD, idempotency_key: '$unique' };
  return callOf('record_store.push_record', [push]);
}

function gets({ sample }: GrowingCollection): RequestTemplate {
  return callOf('record_store.get_record', sample);
}

/** The first page beside one that begins so far along the listing. */
function listing(side: Side, { id, sample }: GrowingCollection, part: number): Comparison {
  const page = (cursor?: string) => callOf('record_store.list_records', [{ collection_id: id, cursor }]);
  const { record_id } = sample.at(Math.floor(part * sample.length) - 1)!;
  return {
    what: `a page ${part === 1 ? 'at the end' : 'in the middle'} beside the first`,
    before: { side, requests: [page()] },
    after: {
      side,
      requests: [page(cursorAfter(`records ${side.caller.workspace} ${id} active`, record_id))],
    },
  };
}
