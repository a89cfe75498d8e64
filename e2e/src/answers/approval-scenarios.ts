import { approvalRoutes, type Operation } from '@action-platform/contracts';
import { send } from '../http.ts';
import type { Answer, Fixture } from './fixture.ts';
import type { Scenarios } from './scenario.ts';

export const approvalScenarios: Scenarios = {
  operation_approval_required: (fixture, operation) => whileHeld(fixture, operation, (call) => call()),
  operation_approval_rejected: (fixture, operation) =>
    whileHeld(fixture, operation, async (call, ask) => {
      await call();
      const { approvals } = await ask('GET', '/api/v1/approvals?status=pending');
      await ask('POST', `/api/v1/approvals/${approvals[0].id}/decision`, { decision: 'reject' });
      return await call();
    }),
};

/** Makes a call, the same each time, while the Workspace holds every write. */
async function whileHeld(
  fixture: Fixture,
  operation: Operation,
  work: (call: () => Promise<Answer>, ask: Awaited<ReturnType<typeof atConsole>>) => Promise<Answer>,
): Promise<Answer> {
  const key = operation.idempotent === 'by_key' && { idempotency_key: fixture.unique('key') };
  const input = { ...(await fixture.input(operation)), ...key };
  const ask = await atConsole(fixture);
  const { path } = approvalRoutes.setRules;
  const setRules = async (rules: object[]) => {
    const { revision } = await ask('GET', path);
    await ask('PUT', path, { revision, rules });
  };
  await setRules([{}]);
  try {
    return await work(() => fixture.call(fixture.owner.token, operation.id, input), ask);
  } finally {
    await setRules([]);
  }
}

/** The requests of the Owner at the console, which must succeed. */
async function atConsole(fixture: Fixture) {
  const token = await fixture.operator.freshToken(fixture.workspace, fixture.owner.user);
  return async (method: string, path: string, body?: object) => {
    const { status, text, json } = await send(fixture.gateway(), { method, path, token, body });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  };
}
