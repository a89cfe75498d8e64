import { authorize, operationSubject, sendEmail } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness } from '../../test/harness.ts';
import { jsonIn, McpClient } from '../../test/mcp-client.ts';
import { json, StandIns } from '../../test/stand-ins.ts';

const harness = new GatewayHarness();
const standIns = new StandIns();
beforeAll(async () => {
  await harness.start();
  await standIns.start(harness.platform, [sendEmail]);
  standIns.answers.set(authorize.subject, json(anOwner()));
});
afterAll(() => harness.stop());

test.each([
  ['drafted', undefined],
  ['failed', true],
  ['unknown', true],
])('a draft with the status %s has isError %s', async (status, isError) => {
  const result = { ...(sendEmail.exampleResult as object), status };
  standIns.answers.set(operationSubject(sendEmail), json({ result }));
  const token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  const answer = await new McpClient(harness, token).call(sendEmail, sendEmail.example);
  expect(answer.isError).toBe(isError);
  expect([jsonIn(answer), answer.structuredContent]).toEqual([{ result }, { result }]);
});
