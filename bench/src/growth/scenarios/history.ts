import { callOf } from '../../scenarios/scenario.ts';
import { type Comparison, compareInTurns } from '../compare.ts';
import { cursorAfter } from '../cursor.ts';
import { SMALL_PAYLOAD } from '../fill/records.ts';
import { recordsWithRevisions } from '../fill/revisions.ts';
import type { GrowthScenario } from './scenario.ts';

const RECORDS = 64;
/** The revisions of a Record on the small side. */
const FEW = 100;
const PAGE = 50;
/** Fewer than Records, as concurrent replaces of one Record wait for each other; also for long answers. */
const FEW_CLIENTS = 8;

/** Records with ever more revisions. */
export const history: GrowthScenario = {
  name: 'history',
  description: 'get, replace and history as Records have more revisions',
  async run(pair, options) {
    const { small, grown } = pair;
    const few = await recordsWithRevisions(small, RECORDS, FEW);
    const many = await recordsWithRevisions(grown, RECORDS, options.revisions);
    await pair.settle();
    const bySize = (what: string, operation: string, more: object): Comparison => {
      const calls = (records: readonly object[]) => [
        callOf(
          operation,
          records.map((record) => ({ ...record, ...more })),
        ),
      ];
      return {
        what: `${what}, ${options.revisions.toLocaleString('en')} revisions beside ${FEW}`,
        before: { side: small, requests: calls(few) },
        after: { side: grown, requests: calls(many) },
      };
    };
    const pages = (after: number) =>
      many.map((record) => ({
        ...record,
        limit: PAGE,
        cursor: cursorAfter(`history ${record.record_id}`, String(after)),
      }));
    const whole = bySize('whole history, for each revision', 'record_store.get_record_history', {});
    return await compareInTurns(
      pair,
      [
        bySize('get', 'record_store.get_record', {}),
        {
          ...bySize('replace', 'record_store.replace_record', { payload: SMALL_PAYLOAD }),
          clients: FEW_CLIENTS,
        },
        bySize('first page of the history', 'record_store.get_record_history', { limit: PAGE }),
        {
          what: 'a page at the end of the history beside one at its beginning',
          before: { side: grown, requests: [callOf('record_store.get_record_history', pages(1))] },
          after: {
            side: grown,
            requests: [callOf('record_store.get_record_history', pages(options.revisions - PAGE - 1))],
          },
        },
        {
          ...whole,
          before: { ...whole.before, perCall: FEW },
          after: { ...whole.after, perCall: options.revisions },
          clients: FEW_CLIENTS,
        },
      ],
      options,
    );
  },
};
