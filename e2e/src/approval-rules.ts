import { approvalRoutes } from '@action-platform/contracts/resources';
import type { Caller } from '@action-platform/testing/http';

/** Replaces the rules of approvals of a Workspace. @param owner just signed in at the console */
export async function setRules(owner: Caller, rules: readonly object[]): Promise<void> {
  const { path } = approvalRoutes.setRules;
  const { revision } = await owner.request('GET', path);
  await owner.request('PUT', path, { revision, rules });
}

/** Decides about a call that waits. @param owner just signed in at the console */
export async function decide(owner: Caller, id: string, decision: 'approve' | 'reject'): Promise<void> {
  await owner.request('POST', approvalRoutes.decide.path.replace('{id}', id), { decision });
}
