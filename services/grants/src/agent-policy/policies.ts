import type { Originated, Timed } from '@action-platform/contracts/calls';
import { type AgentPolicy, OPEN_POLICY } from '@action-platform/contracts/resources';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { setRevision } from '../revisions/set-revision.ts';
import type { StoredPolicy } from './stored-policy.ts';

/** The policies of all Workspaces. */
export class AgentPolicies {
  readonly #policies: Collection<StoredPolicy>;

  constructor(policies: Collection<StoredPolicy>) {
    this.#policies = policies;
  }

  /** The policy of a Workspace now. */
  async of(_id: string, timed: Timed): Promise<AgentPolicy> {
    const found = await this.#policies.findOne({ _id }, within(timed));
    return found === null ? OPEN_POLICY : { revision: found.revision, ...found.policy };
  }

  /** Replaces the policy of this revision. Throws ActionError `invalid_request` when it is not the present one. */
  async set(
    workspaceId: string,
    { revision, ...policy }: AgentPolicy,
    call: Originated,
  ): Promise<AgentPolicy> {
    const next = await setRevision(this.#policies, workspaceId, revision, { policy }, call);
    return { revision: next, ...policy };
  }
}
