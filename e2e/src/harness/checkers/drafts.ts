import { entriesOf, type History } from '../history.ts';

/** Each key of a client has one draft, which every acknowledgement names; a refused one has none, and nobody else made any. */
export function* checkDrafts(history: History): Generator<string> {
  const asked = Map.groupBy(entriesOf(history, 'draft'), ({ action }) => action.key);
  for (const [when, { drafts }] of Object.entries({ before: history.before, after: history.after })) {
    const stored = Map.groupBy(drafts, (draft) => draft);
    for (const key of stored.keys()) if (!asked.has(key)) yield `${key}: no client asked for this draft`;
    for (const [key, all] of asked) {
      const outcomes = all.map((entry) => (when === 'before' ? entry.outcome : entry.finally));
      const named = new Set(
        outcomes.flatMap((outcome) => (outcome.is === 'done' ? [outcome.result.made] : [])),
      );
      const made = stored.get(key)?.length ?? 0;
      if (named.size > 1) yield `${key}: acknowledgements name ${named.size} drafts`;
      if (made > 1) yield `${key}: ${made} drafts`;
      if (named.size > 0 && made === 0) yield `${key}: its draft is lost`;
      if (made > 0 && outcomes.every(({ is }) => is === 'refused'))
        yield `${key}: refused, but it has a draft`;
    }
  }
}
