import { readFileSync } from 'node:fs';
import {
  type ErrorCode,
  errorCatalogue,
  errorsOf,
  type Operation,
  operations,
  services,
} from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { answersTable, TABLE } from './answers-table.ts';
import { commonScenarios } from './common-scenarios.ts';
import { mailScenarios, procedureScenarios } from './other-scenarios.ts';
import { recordStoreScenarios } from './record-store-scenarios.ts';
import { type Answer, World } from './world.ts';

jest.setTimeout(60_000);

const world = new World();
beforeAll(() => world.start());
afterAll(() => world.stop());

const scenarios = { ...commonScenarios, ...recordStoreScenarios, ...procedureScenarios, ...mailScenarios };
const all = [...operations.values()];

/** Codes that one test below shows for all operations, because it has to stop services. */
const duringFailures: readonly ErrorCode[] = ['action_infrastructure_failure', 'action_platform_unavailable'];

describe.each(all.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  test('200', async () => {
    expect((await world.call(world.owner.token, id, await world.input(operation))).status).toBe(200);
  });

  const codes = errorsOf(operation).filter((code) => !duringFailures.includes(code));
  test.each(codes)('%s', async (code) => {
    const scenario = scenarios[code];
    if (scenario === undefined) throw new Error(`${id} can answer ${code}, but no scenario shows it`);
    const { status, code: answered } = await scenario(world, operation);
    expect({ status, code: answered }).toEqual({ status: errorCatalogue[code].status, code });
  });
});

describe('every operation', () => {
  const callAll = async (inputs: readonly object[]): Promise<Answer[]> =>
    await Promise.all(
      all.map(({ id }: Operation, index) => world.call(world.owner.token, id, inputs[index]!)),
    );

  test('action_infrastructure_failure', async () => {
    const inputs = await Promise.all(all.map((operation) => world.input(operation)));
    const hanging = services.filter((service) => service !== 'grants');
    world.signal(hanging, 'SIGSTOP');
    const answers = await callAll(inputs);
    world.signal(hanging, 'SIGCONT');
    // The outcome of a read is never unknown, because it changes nothing.
    const expected = { write: '502 action_infrastructure_failure', read: '503 action_platform_unavailable' };
    expect(answers.map(({ status, code }, index) => `${all[index]!.id} ${status} ${code}`)).toEqual(
      all.map(({ id, effect }) => `${id} ${expected[effect]}`),
    );
  });

  test('action_platform_unavailable', async () => {
    world.signal(['grants'], 'SIGSTOP');
    const answers = await callAll(all.map(() => ({})));
    world.signal(['grants'], 'SIGCONT');
    expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(['503 action_platform_unavailable']),
    );
  });
});

test('every command to MongoDB has a time limit', () => {
  const commands = world
    .commands()
    .filter(({ database }) => (services as readonly string[]).includes(database));
  expect(new Set(commands.map(({ database }) => database))).toEqual(new Set(services));
  expect(commands.filter(({ isLimited }) => !isLimited)).toEqual([]);
});

test('docs/answers.md has this table of answers', () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(answersTable());
});
