import { ActionError, createDraft, type Operation } from '@action-platform/contracts';
import { aMember } from '@action-platform/testing';
import { beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { serviceOf, serving } from '../test-support/serving.ts';
import { type CalledOperation, serveOperation } from './serve.ts';

const counting = { ...createDraft, input: z.strictObject({ count: z.int() }) } as unknown as Operation;
let found: Operation;
let run: () => object;
let called: CalledOperation<Operation> | undefined;

/** A service whose one subject stands for operations that its calls find. */
const platform = serving(
  serviceOf('procedures', [
    serveOperation(
      createDraft as Operation,
      async (_input, _context, operation) => {
        called = operation;
        return run();
      },
      {
        find: async () => {
          if (found === undefined) throw new ActionError('unknown_operation');
          return found;
        },
      },
    ),
  ]),
);
beforeEach(() => {
  found = counting;
  run = () => ({ done: true });
  called = undefined;
});

const call = (input: object | string) => platform.call(createDraft, aMember(), input);

test('a call is read by the operation that it finds, which its handler gets with the body as it was sent', async () => {
  const sent = '{ "count":1.0 }';
  expect((await call(sent)).status).toBe(200);
  expect([called!.operation, Buffer.from(called!.body).toString()]).toEqual([counting, sent]);
  expect((await call({ slug: 'a' })).error.code).toBe('invalid_request');
  found = { ...counting, input: z.strictObject({ slug: z.string() }) };
  expect((await call({ slug: 'a' })).status).toBe(200);
});

test('the effect of the found operation decides about the outcome of a failure', async () => {
  run = () => {
    throw new Error('lost');
  };
  expect((await call({ count: 1 })).error.code).toBe('action_infrastructure_failure');
  found = { ...counting, effect: 'read' };
  expect((await call({ count: 1 })).error.code).toBe('action_platform_unavailable');
});

test('a call that finds none is refused before its input is read', async () => {
  found = undefined as never;
  expect((await call('{')).error.code).toBe('unknown_operation');
  expect(called).toBeUndefined();
});
