import type { History } from '../history.ts';

/** The commits that a rule for everyone holds, but for changes of state, which a repetition may make again after another change. */
const HELD = /^(?:record\.(?:pushed|replaced|patched)|collection\.created|procedure\.drafted|mail\.drafted)$/;

/** Since the rule, every commit names an approval that was given, and no approval has let two commits through. */
export function* checkApprovals({ readers }: Pick<History, 'readers'>): Generator<string> {
  const [{ events }] = readers as [History['readers'][number]];
  const rule = events.findIndex(({ type }) => type === 'approval_rules.changed');
  if (rule === -1) yield 'no rule holds the writes';
  const approved = new Set(
    events.filter(({ type }) => type === 'approval.approved').map(({ subject }) => subject),
  );
  const commits = events.slice(rule + 1).filter(({ type }) => HELD.test(type));
  const since = events[rule]?.time ?? '';
  for (const { type, subject, time, data } of commits) {
    if (data.approval_id === undefined) {
      // Events of different services are in no order.
      if (time > since) yield `${type} of ${subject} has no approval`;
    } else if (!approved.has(data.approval_id))
      yield `${type} of ${subject} names ${data.approval_id}, which nobody approved`;
  }
  const named = commits.filter(({ data }) => data.approval_id !== undefined);
  for (const [id, let_through] of Map.groupBy(named, ({ data }) => data.approval_id!)) {
    const ids = new Set(let_through.map((event) => event.id));
    if (ids.size > 1) yield `${id} let ${ids.size} commits through`;
  }
}
