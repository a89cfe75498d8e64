import { busHeaders } from '@action-platform/contracts/bus';
import { ActionError } from '@action-platform/contracts/errors';
import {
  createCollection,
  deleteRecord,
  getRecord,
  getRecordHistory,
  listCollections,
  type Operation,
  pushRecord,
} from '@action-platform/contracts/operations';
import { ExactJson, JsonBusyError } from '@action-platform/json';
import { anOwner, scheduled, TestPlatform } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import type { ObservedCall } from './context.ts';
import { serveOperation } from './serve.ts';

const owner = anOwner();

/** The work of the handlers below; each test sets its own. */
let handle: (input: object) => Promise<never> | never;
let seen: object[];
/** The work of the observer below, and the outcomes that it received. */
let observe: () => Promise<void> | void;
let outcomes: ObservedCall[];
/** The outcome that the contract of `pushRecord` declares of every result. */
let declaredOutcome: ObservedCall['operationOutcome'];

/** Contracts of the registry, with handlers that each test defines. */
const service = serviceOf('record-store', [
  ...[
    { ...pushRecord, outcome: () => declaredOutcome },
    createCollection,
    getRecord,
    getRecordHistory,
    listCollections,
  ].map((operation) =>
    serveOperation(
      operation as typeof pushRecord,
      async (input) => {
        seen.push(input);
        return await handle(input);
      },
      {
        observe: async (outcome) => {
          outcomes.push(outcome);
          await observe();
        },
      },
    ),
  ),
  // `deleteRecord` serves for other operations, of which its calls find one that reads.
  serveOperation(deleteRecord as Operation, async (input) => await handle(input), {
    find: async () => ({ ...deleteRecord, effect: 'read' }),
  }),
]);

const platform = serving(service, { SERVICE_MAX_IN_FLIGHT: '3' });
/** Calls an operation on a Record, or on the Records, of a Collection. */
const push = (more: object = {}) =>
  platform.call(pushRecord, owner, { collection_id: 'col_1', payload: {}, ...more });
const history = () => platform.call(getRecordHistory, owner, { collection_id: 'col_c', record_id: 'r' });
beforeEach(() => {
  seen = [];
  outcomes = [];
  declaredOutcome = undefined;
  observe = () => {};
  handle = async () => ({}) as never;
});

describe('before a handler runs', () => {
  test.each([
    ['nobody', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    [
      'a query of a database',
      '{"workspaceId":{"$ne":""},"userId":{"$ne":""},"role":"owner","connections":{}}',
    ],
    ['a role that nobody has', JSON.stringify({ ...owner, role: 'king' })],
  ])('a message with %s as its caller is refused: nothing was done', async (_what, principal) => {
    const headers = { [busHeaders.principal]: principal };
    const { status, error } = await platform.call(createCollection, owner, { name: 'a' }, { headers });
    expect([status, error.code]).toEqual([503, 'action_platform_unavailable']);
    expect(seen).toEqual([]);
  });

  test('a principal of a later version with an unknown app is a caller', async () => {
    const later = { ...owner, connections: { abacus: 'con_1' } } as typeof owner;
    expect((await platform.call(listCollections, later, {})).status).toBe(200);
  });

  test('the input has its defaults, and exact fields as text', async () => {
    await platform.call(createCollection, owner, { name: 'a' });
    await platform.call(pushRecord, owner, '{"collection_id":"col_c","payload":{ "n" : 1.0 }}');
    expect(seen).toEqual([
      { name: 'a', description: '', member_writes_enabled: false },
      { collection_id: 'col_c', payload: new ExactJson('{ "n" : 1.0 }') },
    ]);
  });

  test('while too many large texts wait, a write is answered with 503: nothing was done', async () => {
    handle = () => {
      throw new JsonBusyError();
    };
    const { status, error } = await platform.call(createCollection, owner, { name: 'a' });
    expect([status, error.code]).toEqual([503, 'action_platform_unavailable']);
  });

  test('data outside the scope of a routine grant is refused', async () => {
    const input = { collection_id: 'col_2', payload: {} };
    for (const data of [{}, { collectionIds: [] }, { collectionIds: ['col_1'] }, { senderIds: ['col_2'] }]) {
      const { error } = await platform.call(pushRecord, scheduled(owner, { data }), input);
      expect(error.code).toBe('grant_data_scope_exceeded');
    }
    expect(seen).toEqual([]);
    await platform.call(pushRecord, scheduled(owner, { data: { collectionIds: ['col_1', 'col_2'] } }), input);
    expect(seen).toHaveLength(1);
  });
});

describe('an observer', () => {
  test('receives the outcome, the input and the caller of each call before the caller is answered', async () => {
    await push();
    handle = () => {
      throw new ActionError('record_store_quota_exceeded');
    };
    await push();
    const outOfScope = scheduled(owner, { data: { collectionIds: ['col_2'] } });
    await platform.call(pushRecord, outOfScope, pushRecord.example);
    expect(outcomes.map(({ error }) => error?.code)).toEqual([
      undefined,
      'record_store_quota_exceeded',
      'grant_data_scope_exceeded',
    ]);
    const { userId } = owner;
    const called = { name: pushRecord.id, input: { collection_id: expect.any(String) }, isReplay: false };
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ...called, principal: { userId } });
  });

  test("receives the operation's own outcome of a result that is not a success", async () => {
    await push();
    declaredOutcome = 'unknown';
    const answer = await push();
    expect([answer.status, answer.header(busHeaders.outcome)]).toEqual([200, 'unknown']);
    expect(outcomes.map(({ operationOutcome }) => operationOutcome)).toEqual([undefined, 'unknown']);
  });

  test('receives a call with an unreadable body, without an input', async () => {
    await platform.call(pushRecord, owner, '{');
    expect(outcomes).toMatchObject([{ input: undefined, error: { code: 'invalid_json' } }]);
  });

  test('that fails makes the call fail', async () => {
    observe = () => Promise.reject(new Error('password=hunter2'));
    const answer = await push();
    expect(answer.error.code).toBe('action_infrastructure_failure');
    expect(answer.text).not.toContain('hunter2');
  });
});

describe('the outcome of a handler', () => {
  test('is the result, streams included', async () => {
    async function* revisions() {
      for (let version = 1; version <= 3; version++) yield [{ version, payload: new ExactJson('{"a":1.0}') }];
    }
    handle = async () => ({ revisions: revisions(), next_cursor: null }) as never;
    const { text } = await history();
    const payload = '"payload":{"a":1.0}';
    expect(text).toBe(
      `{"result":{"revisions":[{"version":1,${payload}},{"version":2,${payload}},{"version":3,${payload}}],"next_cursor":null}}`,
    );
  });

  test('is an error when a stream fails before it begins', async () => {
    async function* failing(): AsyncGenerator<never> {
      yield await Promise.reject(new ActionError('record_store_record_not_found'));
    }
    handle = async () => ({ revisions: failing(), next_cursor: null }) as never;
    const { error } = await history();
    expect(error.code).toBe('record_store_record_not_found');
  });

  test('that fails is by the effect of the operation that its call finds', async () => {
    handle = () => {
      throw new Error('lost');
    };
    const { error } = await platform.call(deleteRecord, owner, deleteRecord.example);
    expect(error.code).toBe('action_platform_unavailable');
  });

  test('is a refusal for concurrent calls beyond the limit, until others end', async () => {
    const gate = Promise.withResolvers<void>();
    handle = async () => {
      await gate.promise;
      return {} as never;
    };
    const calls = Array.from({ length: 8 }, () => push());
    const refused = await Promise.all(calls.slice(3));
    expect(new Set(refused.map(({ error }) => error.code))).toEqual(new Set(['action_platform_unavailable']));
    expect(refused.map(({ header }) => header(busHeaders.busy))).toEqual(refused.map(() => 'true'));
    gate.resolve();
    for (const call of calls.slice(0, 3)) expect((await call).status).toBe(200);
    expect((await push()).status).toBe(200);
    handle = () => {
      throw new ActionError('action_platform_unavailable');
    };
    // Only a refusal for load is one for which the bus repeats no reads.
    expect((await push()).header(busHeaders.busy)).toBe('');
  });
});

describe('stopping', () => {
  test('finishes the calls that were taken', async () => {
    const other = new TestPlatform();
    const running = await other.startService(service);
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = async () => {
      begun.resolve();
      await gate.promise;
      return { done: true } as never;
    };
    handle = () => {
      handle = async () => ({ late: true }) as never;
      return first();
    };
    const input = { collection_id: 'col_c', payload: {} };
    const call = other.call(pushRecord, owner, input);
    await begun.promise;
    const stopped = running.stop();
    // A call that arrives before the server knows of the stop is answered as well.
    const isTaken = () => other.call(pushRecord, owner, input).then(({ result }) => result);
    let late: unknown;
    do late = await isTaken().catch((error) => error);
    while (!(late instanceof ActionError));
    expect(late).toMatchObject({ code: 'action_platform_unavailable' });
    gate.resolve();
    expect((await call).result).toEqual({ done: true });
    await stopped;
    await other.stop();
  });
});
