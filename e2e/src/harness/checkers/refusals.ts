import type { ErrorCode } from '@action-platform/contracts/errors';
import { type Action, type Checker, deletedRecords, entriesOf, type History, isFinal } from '../history.ts';

type Codes = Readonly<Record<Action['what'], readonly ErrorCode[]>>;

const NOT_FOUND = 'record_store_record_not_found';
const ARCHIVED = 'record_store_record_archived';
const revision = ['record_store_stale_version', NOT_FOUND, ARCHIVED] as const;
/** The refusal at a limit of the platform, such as that of a Member's grants. */
const limited = ['invalid_request'] as const;

/** The codes with which the platform may refuse each kind of action for good. */
const allowed: Codes = {
  // A repeated push meets no Record once a client has deleted the one of its key.
  push: ['record_store_quota_exceeded', NOT_FOUND],
  ...{ replace: revision, patch: revision },
  ...{ get: [NOT_FOUND], history: [NOT_FOUND], list: [], archive: [NOT_FOUND], restore: [NOT_FOUND] },
  delete: [NOT_FOUND, 'record_store_record_not_archived'],
  // At the limit of grants a create removes those that have ended.
  ...{ use: ['grant_revoked', 'invalid_token'], revoke: ['grant_not_found'] },
  run: ['grant_cadence_exceeded'],
  ...{ grant: limited, routine: limited, draft: limited, collection: limited, procedure: limited },
  ...{ refund: [], pay_once: [], pay_keyed: [], pay_tool: [], file: [], read_file: [] },
};

/**
 * The platform refuses each action with the codes of its kind alone, finds every Record that nobody deleted, changes every one that nobody
 * archived, and answers with no status above 503.
 *
 * @param further codes that a suite provokes
 */
export function checkRefusals(further: Partial<Codes> = {}): Checker {
  return function* (history: Pick<History, 'entries' | 'limited'>) {
    const deleted = deletedRecords(history);
    const archived = new Set(entriesOf(history, 'archive').map(({ action }) => action.record));
    const kinds = Object.keys(allowed) as Action['what'][];
    for (const { action, attempts, finally: outcome } of entriesOf(history, ...kinds)) {
      const { what } = action;
      for (const { requestId, status } of attempts)
        if (status >= 500 && status !== 502 && status !== 503)
          yield `${what} of ${requestId}: answered with ${status}`;
      if (outcome.is !== 'refused' || !isFinal(outcome)) continue;
      const { code } = outcome;
      const codes: readonly string[] = [...allowed[what], ...(further[what] ?? [])];
      const of = 'record' in action ? action.record : undefined;
      if (!codes.includes(code)) yield `${of ?? what}: ${what} was refused with ${code}`;
      else if (code === NOT_FOUND && !(of === undefined ? deleted.size > 0 : deleted.has(of)))
        yield `${of ?? what}: not found, but nobody deleted it`;
      else if (code === ARCHIVED && !archived.has(of!)) yield `${of}: archived, but nobody archived it`;
    }
  };
}
