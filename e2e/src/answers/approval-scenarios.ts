import type { Operation } from '@action-platform/contracts/operations';
import { approvalRoutes } from '@action-platform/contracts/resources';
import type { Caller } from '@action-platform/testing/http';
import { decide, setRules } from '../approval-rules.ts';
import type { CallAnswer, Fixture } from './fixture.ts';
import type { Scenarios } from './scenario.ts';

export const approvalScenarios: Scenarios = {
  operation_approval_required: (fixture, operation) => whileHeld(fixture, operation, (call) => call()),
  operation_approval_rejected: (fixture, operation) =>
    whileHeld(fixture, operation, async (call, owner) => {
      await call();
      const { approvals } = await owner.request('GET', `${approvalRoutes.list.path}?status=pending`);
      await decide(owner, approvals[0].id, 'reject');
      return await call();
    }),
};

/** Makes a call, the same each time, while the Workspace holds every write. @param work gets its Owner at the console */
async function whileHeld(
  fixture: Fixture,
  operation: Operation,
  work: (call: () => Promise<CallAnswer>, owner: Caller) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const input = await fixture.keyedInput(operation);
  const owner = await fixture.atConsole();
  await setRules(owner, [{}]);
  try {
    return await work(() => fixture.call(fixture.owner.token, operation.id, input), owner);
  } finally {
    await setRules(owner, []);
  }
}
