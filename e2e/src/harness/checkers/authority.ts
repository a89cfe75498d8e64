import { entriesOf, type History } from '../history.ts';

/** The refusals of a grant that was revoked; a create at the limit of grants removes those that have ended. */
const ENDED = ['grant_revoked', 'invalid_token'];

/** The platform accepts no call after an acknowledged revocation and no run beyond the cadence of a grant, and refuses none too early. */
export function* checkAuthority(history: History): Generator<string> {
  const revocations = Map.groupBy(entriesOf(history, 'revoke'), ({ action }) => action.grant);
  for (const { action, begunAt, endedAt, outcome } of entriesOf(history, 'use')) {
    const asked = revocations.get(action.grant) ?? [];
    const acknowledged = asked.some(
      (revocation) => revocation.outcome.is === 'done' && revocation.endedAt < begunAt,
    );
    if (outcome.is === 'done' && acknowledged)
      yield `${action.grant}: accepted after its revocation was acknowledged`;
    const isRefused = outcome.is === 'refused' && ENDED.includes(outcome.code);
    if (isRefused && !asked.some((revocation) => revocation.begunAt < endedAt))
      yield `${action.grant}: refused before it was revoked`;
  }
  const runs = Map.groupBy(entriesOf(history, 'run'), ({ action }) => action.grant);
  for (const [grant, all] of runs) {
    const invocationsOf = (some: typeof all) => new Set(some.map(({ action }) => action.invocation)).size;
    const accepted = invocationsOf(all.filter(({ outcome }) => outcome.is === 'done'));
    if (accepted > history.maximumRuns) yield `${grant}: ${accepted} runs were accepted`;
    for (const { endedAt, outcome } of all) {
      if (outcome.is !== 'refused' || outcome.code !== 'grant_cadence_exceeded') continue;
      const counted = all.filter((run) => run.begunAt < endedAt && !isRefusedForGood(run.outcome));
      if (invocationsOf(counted) < history.maximumRuns)
        yield `${grant}: a run was refused after ${invocationsOf(counted)}`;
    }
  }
}

function isRefusedForGood(outcome: History['entries'][number]['outcome']): boolean {
  return outcome.is === 'refused' && outcome.code === 'grant_cadence_exceeded';
}
