import { setTimeout } from 'node:timers/promises';
import { busHeaders } from '@action-platform/bus';
import type { Principal } from '@action-platform/contracts/authority';
import { grantedData, requireTimeLeft } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { type DeclaredOperation, getRecord, pushRecord } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import type { ObservedCall, OperationContext } from './context.ts';
import { serveCall, serveOperation } from './serve.ts';

const REQUEST_ID = 'req_of_a_leaving_caller';

/** The work of a handler with its context; each test sets its own. */
let handle: (context: OperationContext) => Promise<void>;
let begun: number;
/** The outcome of the call. */
let outcome: PromiseWithResolvers<ObservedCall>;

const service = serviceOf(
  'record-store',
  [getRecord, pushRecord].map((operation) =>
    serveOperation(
      operation as typeof getRecord,
      async (_input, context) => {
        begun++;
        await handle(context);
        return {} as never;
      },
      {
        observe: (each) => {
          if (each.requestId === REQUEST_ID) outcome.resolve(each);
        },
      },
    ),
  ),
);

let asked: PromiseWithResolvers<void>;
let left: PromiseWithResolvers<void>;
const grants = serviceOf('grants', [
  serveCall(grantedData, async () => {
    asked.resolve();
    await left.promise;
    return { data: { collectionIds: [getRecord.example.collection_id as string] } };
  }),
]);
const platform = serving([service, grants]);
beforeEach(() => {
  begun = 0;
  outcome = Promise.withResolvers();
});

/** Calls an operation for a caller who can leave. */
function call(operation: DeclaredOperation, principal: Principal) {
  const caller = new AbortController();
  const answer = platform.begin(operation, principal, operation.example, {
    timeoutMs: 60_000,
    effect: operation.effect,
    headers: { [busHeaders.requestId]: REQUEST_ID },
    signal: caller.signal,
  });
  answer.catch(() => {});
  return { leave: () => caller.abort() };
}

/** Resolves when the service has received what was sent before: a call is answered after it, if only with a refusal. */
const cancellationHeard = () => platform.call(getRecord, anOwner(), {});

test('a read stops when its caller has left', async () => {
  const working = Promise.withResolvers<void>();
  handle = async (context) => {
    for (;;) {
      requireTimeLeft(context);
      working.resolve();
      await setTimeout(1);
    }
  };
  const { leave } = call(getRecord, anOwner());
  await working.promise;
  leave();
  expect((await outcome.promise).error?.code).toBe('action_platform_unavailable');
});

test('a write that has begun ends normally, though its caller has left', async () => {
  const working = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  handle = async (context) => {
    working.resolve();
    await left.promise;
    requireTimeLeft(context);
  };
  const { leave } = call(pushRecord, anOwner());
  await working.promise;
  leave();
  await cancellationHeard();
  left.resolve();
  expect(await outcome.promise).toMatchObject({ name: pushRecord.id, error: undefined });
});

test('neither a read nor a write begins when its caller left before', async () => {
  for (const operation of [getRecord, pushRecord]) {
    [asked, left, outcome] = [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()];
    // Before the call begins, the service asks what the grant in use lists.
    const { leave } = call(
      operation,
      anOwner({ routine: { id: newId('routineGrant'), invocationId: 'run-1' } }),
    );
    await asked.promise;
    leave();
    await cancellationHeard();
    left.resolve();
    expect((await outcome.promise).error?.code).toBe('action_platform_unavailable');
  }
  expect(begun).toBe(0);
});
