import { describe, expect, test } from '@jest/globals';
import { ActionError } from './action-error.ts';

const declared = { code: 'custom_order_not_found', next: 'Ask for the number.', recoverable: false };
const refused = new ActionError('custom_operation_refused', { message: 'No order 7.', declared });
const onTheBus = refused.toEnvelope('req_1');

describe('a declared refusal', () => {
  test('has its own code, message and step in an answer, and the page of the code in the catalogue', () => {
    expect(onTheBus.error).toEqual({
      ...declared,
      message: 'No order 7.',
      requestId: 'req_1',
      docs_url: '/docs/errors/custom_operation_refused',
    });
    expect([refused.code, refused.publicCode, refused.status]).toEqual([
      'custom_operation_refused',
      'custom_order_not_found',
      400,
    ]);
  });

  test('passes the bus from a service that may declare one alone', () => {
    expect(ActionError.fromEnvelope(onTheBus, {}, true)!.toEnvelope('req_1')).toEqual(onTheBus);
    expect(ActionError.fromEnvelope(onTheBus)).toBeUndefined();
  });

  test.each([
    ['a code of another form', { code: 'order_not_found' }],
    ['no step', { next: undefined }],
    ['no verdict', { recoverable: 'yes' }],
    ['no message', { message: undefined }],
  ])('with %s is none', (_what, wrong) => {
    const envelope = { error: { ...onTheBus.error, ...wrong } };
    expect(ActionError.fromEnvelope(envelope, {}, true)).toBeUndefined();
  });

  test('with a code of the catalogue is that error', () => {
    const envelope = { error: { ...onTheBus.error, code: 'custom_idempotency_conflict' } };
    const error = ActionError.fromEnvelope(envelope, {}, true)!;
    expect([error.code, error.publicCode]).toEqual(Array(2).fill('custom_idempotency_conflict'));
  });
});

test('no other error takes a declared code', () => {
  expect(new ActionError('invalid_request', { declared }).publicCode).toBe('invalid_request');
});
