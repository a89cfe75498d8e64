import type { ConditionalRule } from '@action-platform/contracts/authority';
import type { Originated, Timed } from '@action-platform/contracts/calls';
import type { ApprovalRule, ApprovalRules, ListedApproval } from '@action-platform/contracts/resources';
import type { CallOfText } from '@action-platform/json';
import { batchedLookup, within } from '@action-platform/mongo';
import { fittingOf, isAbout } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { MemberEpoch } from '../members/stored-member.ts';
import { setRevision } from '../revisions/set-revision.ts';
import { describeRules, type StoredRules } from './stored-rules.ts';

/** A write, as far as rules look at it. */
interface Write {
  readonly operation: string;
  /** The grant that the write is made with. */
  readonly grantId: string | undefined;
}

/** The rules that hold a call, as one. */
export interface Holding {
  readonly heldBy: ListedApproval['heldBy'];
  readonly preventsSelfApproval: boolean;
  /** The Members who may decide beside Owners: those whom each of the rules names. */
  readonly approvers: readonly MemberEpoch[];
}

/** How many Workspaces are remembered to have rules. */
const REMEMBERED = 10_000;
/** How long the rules may be that a service gets with a principal, in characters of JSON. */
const SENT_MAX_LENGTH = 2_000;

type CurrentRules = Pick<StoredRules, '_id' | 'rules' | 'approvers'>;

/** The rules of all Workspaces. */
export class Rules {
  readonly #rules: Collection<StoredRules>;
  /** The rules alone, as each write needs them. */
  readonly #find: (workspaceId: string, timed: Timed) => Promise<CurrentRules | undefined>;
  /** The Workspaces that had rules when a write last read them. */
  readonly #withRules = new Set<string>();

  constructor(rules: Collection<StoredRules>) {
    this.#rules = rules;
    const keys = { asked: (id: string) => id, found: ({ _id }: CurrentRules) => _id };
    this.#find = batchedLookup('grants.approval_rules', keys, async (ids, timed) => {
      // The database finds a single id without a plan.
      const _id = ids.length === 1 ? ids[0]! : { $in: ids };
      const options = { projection: { rules: 1, approvers: 1 }, ...within(timed) };
      return await rules.find<CurrentRules>({ _id }, options).toArray();
    });
  }

  /** The rules of a Workspace now. */
  async of(workspaceId: string, timed: Timed): Promise<ApprovalRules> {
    const { revision = 0, rules = [] } =
      (await this.#rules.findOne({ _id: workspaceId }, within(timed))) ?? {};
    return { revision, rules: describeRules(rules) };
  }

  /** Whether a Workspace probably has rules: then a write reads them while it reads its Member. */
  areProbable(workspaceId: string): boolean {
    return this.#withRules.has(workspaceId);
  }

  /**
   * The rules of a Workspace that may hold a write now, by its body; undefined when none does, and `'any'` when the body does not decide
   * alone, or the rules are too long for a header.
   */
  async mayHold(
    workspaceId: string,
    write: Write,
    timed: Timed,
  ): Promise<readonly ConditionalRule[] | 'any' | undefined> {
    const found = await this.#find(workspaceId, timed);
    if (this.#withRules.size >= REMEMBERED) this.#withRules.clear();
    if (found === undefined || found.rules.length === 0) this.#withRules.delete(workspaceId);
    else this.#withRules.add(workspaceId);
    const matching = found?.rules.filter((rule) => matches(rule, write)) ?? [];
    if (matching.length === 0) return undefined;
    const rules = matching.flatMap(({ operations, when }) =>
      operations && when ? { operations, when } : [],
    );
    const isDecidedByBody = rules.length === matching.length;
    return isDecidedByBody && JSON.stringify(rules).length <= SENT_MAX_LENGTH ? rules : 'any';
  }

  /** The rules that hold a write of a Workspace with this body now; undefined when none does. */
  async holding(
    workspaceId: string,
    write: Write,
    body: string,
    call: Timed & CallOfText,
  ): Promise<Holding | undefined> {
    const { rules = [], approvers = [] } = (await this.#find(workspaceId, call)) ?? {};
    const matching = [...rules.entries()].filter(([, rule]) => matches(rule, write));
    const fits = await fittingOf(
      matching.map(([, rule]) => rule),
      write.operation,
      body,
      call,
    );
    const holding = matching.filter((_, index) => fits[index]);
    if (holding.length === 0) return undefined;
    return {
      heldBy: holding.map(([rule, { when }]) => ({ rule, ...(when && { when: [...when.keys()] }) })),
      preventsSelfApproval: holding.some(([, rule]) => rule.preventSelfApproval),
      approvers: approvers.filter(({ user_id }) =>
        holding.every(([, rule]) => rule.approvers?.includes(user_id)),
      ),
    };
  }

  /** Replaces the rules of this revision. Throws ActionError `invalid_request` when it is not the present one. */
  async set(
    workspaceId: string,
    { revision, rules, approvers }: ApprovalRules & Pick<Required<StoredRules>, 'approvers'>,
    call: Originated,
  ): Promise<ApprovalRules> {
    const next = await setRevision(this.#rules, workspaceId, revision, { rules, approvers }, call);
    return { revision: next, rules };
  }
}

/** Whether a rule holds a write. */
function matches({ operations, callers, grantIds }: ApprovalRule, { operation, grantId }: Write): boolean {
  if (operations !== undefined && !isAbout(operations, operation)) return false;
  if (callers === 'grants' && grantId === undefined) return false;
  return grantIds === undefined || (grantId !== undefined && grantIds.includes(grantId));
}
