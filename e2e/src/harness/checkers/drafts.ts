import { entriesOf, type History } from '../history.ts';

/** Each key has one draft, and every acknowledgement names that draft. */
export function* checkDrafts(history: History): Generator<string> {
  const asked = Map.groupBy(entriesOf(history, 'draft'), ({ action }) => action.key);
  for (const [key, all] of asked) {
    const named = new Set(
      all.flatMap(({ finally: outcome }) => (outcome.is === 'done' ? [outcome.result.made] : [])),
    );
    if (named.size > 1) yield `${key}: acknowledgements name ${named.size} drafts`;
    const before = history.before.drafts.filter((draft) => draft === key).length;
    const after = history.after.drafts.filter((draft) => draft === key).length;
    if (Math.max(before, after) > 1) yield `${key}: ${Math.max(before, after)} drafts`;
    if (named.size > 0 && after === 0) yield `${key}: its draft is lost`;
  }
}
