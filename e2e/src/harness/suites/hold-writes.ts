import { sendEmail } from '@action-platform/contracts/operations';
import { approvalRoutes } from '@action-platform/contracts/resources';
import type { LocalPlatform } from '../../local-platform.ts';
import type { Fixture } from '../workload/fixture.ts';

/** Holds e-mails to anybody outside. */
export const FOREIGN_RECIPIENTS = {
  operations: [sendEmail.id],
  when: [{ field: '/to/*', is: 'not_ends_with', value: '@acme.com' }],
};

/**
 * Holds writes of a Workspace by a rule. From then on its Owner, just signed in, approves each call that waits.
 *
 * @param rule by default holds every write of everyone
 */
export async function holdWrites(fixture: Fixture, rule: object = {}): Promise<undefined> {
  const { platform, workspace, owners, session } = fixture;
  const send = async (method: string, path: string, input: object) => {
    const token = await (platform as LocalPlatform).operator.freshToken(workspace, owners[0]!.user);
    await session.ask({ method, path, input, token, read: () => ({}) });
  };
  await send('PUT', approvalRoutes.setRules.path, { revision: 0, rules: [rule] });
  // A refusal counts as an approval, because the next attempt of the call shows what it meant.
  fixture.approve = (id) =>
    send('POST', approvalRoutes.decide.path.replace('{id}', id), { decision: 'approve' });
}
