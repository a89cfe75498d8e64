import type { Originated, Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { ApprovalRule, ApprovalRules } from '@action-platform/contracts/resources';
import { batchedLookup, unlessTaken, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredRules } from './stored-rules.ts';

/** How many changes the rules keep: the tail of changes needs the last one, a catch-up those since the oplog's beginning. */
const KEPT_COMMITS = 20;

/** A write, as far as rules look at it. */
interface Write {
  readonly operation: string;
  /** The grant that it is made with. */
  readonly grantId: string | undefined;
}

type CurrentRules = Pick<StoredRules, '_id' | 'rules'>;

/** The rules of all Workspaces. */
export class Rules {
  readonly #rules: Collection<StoredRules>;
  /** The rules alone, as each write needs them. */
  readonly #find: (workspaceId: string, timed: Timed) => Promise<CurrentRules | undefined>;

  constructor(rules: Collection<StoredRules>) {
    this.#rules = rules;
    const keys = { asked: (id: string) => id, found: ({ _id }: CurrentRules) => _id };
    this.#find = batchedLookup('grants.approval_rules', keys, async (ids, timed) => {
      // The database finds a single id without a plan.
      const _id = ids.length === 1 ? ids[0]! : { $in: ids };
      const options = { projection: { rules: 1 }, ...within(timed) };
      return await rules.find<CurrentRules>({ _id }, options).toArray();
    });
  }

  /** The rules of a Workspace now. */
  async of(workspaceId: string, timed: Timed): Promise<ApprovalRules> {
    const { revision = 0, rules = [] } =
      (await this.#rules.findOne({ _id: workspaceId }, within(timed))) ?? {};
    return { revision, rules: [...rules] };
  }

  /** The rules that hold a write of a Workspace now. */
  async holding(workspaceId: string, write: Write, timed: Timed): Promise<readonly ApprovalRule[]> {
    const found = await this.#find(workspaceId, timed);
    return found?.rules.filter((rule) => matches(rule, write)) ?? [];
  }

  /** Replaces the rules of this revision. Throws ActionError `invalid_request` when it is not the present one. */
  async set(
    workspaceId: string,
    { revision, rules }: ApprovalRules,
    call: Originated,
  ): Promise<ApprovalRules> {
    const present = await this.#rules.findOne({ _id: workspaceId }, within(call));
    const next = revision + 1;
    const commits = Object.entries(present?.commits ?? {}).slice(1 - KEPT_COMMITS);
    const set = {
      revision: next,
      rules,
      commits: Object.fromEntries([...commits, [next, { ...call.origin, at: new Date() }]]),
    };
    const _id = workspaceId;
    // Revision 0 is that of no document.
    const isSet =
      revision === 0
        ? await unlessTaken(this.#rules.insertOne({ _id, ...set }, within(call)))
        : (await this.#rules.replaceOne({ _id, revision }, set, within(call))).matchedCount === 1;
    if (!isSet) throw otherRevision(present?.revision ?? 0);
    return { revision: next, rules };
  }
}

/** Whether a rule holds a write. */
function matches({ operations, callers, grantIds }: ApprovalRule, { operation, grantId }: Write): boolean {
  if (operations !== undefined && !operations.includes(operation)) return false;
  if (callers === 'grants' && grantId === undefined) return false;
  return grantIds === undefined || (grantId !== undefined && grantIds.includes(grantId));
}

function otherRevision(present: number): ActionError {
  const message = `revision: the present one is ${present}; read the rules again, and change those.`;
  return new ActionError('invalid_request', { message });
}

/**
 * Refuses (`invalid_request`) rules that could never hold what they name; the message has the place.
 *
 * @param isGrant whether the Workspace has a grant with an id.
 */
export function requireSound(
  rules: readonly ApprovalRule[],
  operations: ReadonlyMap<string, Pick<Operation, 'effect'>>,
  isGrant: (id: string) => boolean,
): void {
  const wrong = (place: string, problem: string) =>
    new ActionError('invalid_request', { message: `${place}: ${problem}.` });
  for (const [index, { operations: ids = [], callers, grantIds = [] }] of rules.entries()) {
    const place = `rules[${index}]`;
    for (const [at, id] of ids.entries()) {
      if (operations.get(id)?.effect === 'write') continue;
      throw wrong(`${place}.operations[${at}]`, `${JSON.stringify(id)} is not an operation that writes`);
    }
    if (grantIds.length > 0 && callers !== 'grants')
      throw wrong(`${place}.grantIds`, 'needs callers "grants"');
    for (const [at, id] of grantIds.entries()) {
      if (!isGrant(id)) throw wrong(`${place}.grantIds[${at}]`, 'is no grant of this Workspace');
    }
  }
}
