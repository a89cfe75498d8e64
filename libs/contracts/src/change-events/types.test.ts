import { expect, test } from '@jest/globals';
import { exampleId } from '../ids/ids.ts';
import { operations } from '../operations/all-operations.ts';
import { memberRoutes } from '../resources/all-resources.ts';
import { changeEventTypes } from './types.ts';

/** Writes that change nothing which a reader of events follows. */
const withoutEvent = [
  ...['grants.begin_authorization', 'grants.complete_authorization'],
  ...['events.test_webhook_endpoint', 'events.resend_webhook_delivery', 'custom_operations.check_connector'],
];

const subjects = [exampleId('operationGrant'), exampleId('routineGrant'), exampleId('agentGrant')];
const dataOf = [{}, { secret_rotated: true as const }, { operation_id: 'record_store.push_records' }];
const causes = subjects.flatMap((subject) => {
  const change = { subject, data: { actor: { user_id: 'mika' } } };
  // Any call can be the cause of the other types.
  const types = Object.values(changeEventTypes).filter(({ cause }) => cause(change) !== undefined);
  return dataOf.flatMap((data) =>
    types.map(({ cause }) => cause({ ...change, data: { ...change.data, ...data } })?.call),
  );
});

const writes = [...operations.values(), ...memberRoutes].filter(({ effect }) => effect === 'write');

test.each(writes)('$id makes a change event, or is known to make none', ({ id }) => {
  expect(causes.includes(id)).toBe(!withoutEvent.includes(id));
});
