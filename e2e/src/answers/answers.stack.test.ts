import { type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { errorsOf, type Operation, operations } from '@action-platform/contracts/operations';
import { services } from '@action-platform/contracts/services';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { notedCommands } from '../mongodb-commands/noted-commands.ts';
import { SharedStack } from '../shared-stack.ts';
import { approvalScenarios } from './approval-scenarios.ts';
import { commonScenarios } from './common-scenarios.ts';
import { eventScenarios } from './event-scenarios.ts';
import { Fixture } from './fixture.ts';
import { McpFixture } from './mcp-fixture.ts';
import { knowledgeScenarios, mailScenarios, procedureScenarios } from './other-scenarios.ts';
import { recordStoreScenarios } from './record-store-scenarios.ts';

jest.setTimeout(60_000);

const stack = new SharedStack();
const fixture = new Fixture(stack);
const mcp = new McpFixture(stack);
beforeAll(async () => {
  await fixture.start();
  await mcp.start();
});

const scenarios = {
  ...{ ...commonScenarios, ...approvalScenarios, ...eventScenarios },
  ...{ ...recordStoreScenarios, ...knowledgeScenarios, ...procedureScenarios, ...mailScenarios },
};
const all = [...operations.values()];

/** Codes that a test of the gateway shows for all operations, because it needs services that hang. */
const duringFailures: readonly ErrorCode[] = ['action_infrastructure_failure', 'action_platform_unavailable'];

const codesOf = (operation: Operation) =>
  errorsOf(operation).filter((code) => !duringFailures.includes(code));

describe.each(all.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  test('200', async () => {
    expect((await fixture.call(fixture.owner.token, id, await fixture.input(operation))).status).toBe(200);
  });

  test.each(codesOf(operation))('%s', async (code) => {
    const scenario = scenarios[code];
    if (scenario === undefined) throw new Error(`${id} can answer ${code}, but no scenario shows it`);
    const { status, code: answered } = await scenario(fixture, operation);
    expect({ status, code: answered }).toEqual({ status: errorCatalogue[code].status, code });
  });
});

test.each(all.map((operation) => [toolName(operation.id), operation] as const))(
  'the tool %s succeeds',
  async (_name, operation) => {
    const { code } = await mcp.call(mcp.owner.token, operation.id, await mcp.input(operation));
    expect(code).toBeUndefined();
  },
);

/** Each code with one operation that can answer it: the answers over HTTP show the codes of the others. */
const codesWithOperation = new Map(
  all.flatMap((operation) => codesOf(operation).map((code) => [code, operation] as const)),
);

test.each([...codesWithOperation])(
  'a tool is refused as over HTTP, with a step that its caller can take: %s',
  async (code, operation) => {
    expect((await scenarios[code]?.(mcp, operation))?.code).toBe(code);
  },
);

test('every command to MongoDB has a time limit', () => {
  const commands = notedCommands(stack.directory).filter(({ database }) =>
    (services as readonly string[]).includes(database),
  );
  // The feed of events is read from a stream.
  const storing = [...operations.values()].filter(({ waits }) => !waits).map(({ service }) => service);
  expect(commands.map(({ database }) => database)).toEqual(expect.arrayContaining(storing));
  expect(commands.filter(({ isLimited }) => !isLimited)).toEqual([]);
});
