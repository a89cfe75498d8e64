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

/** Writes whose events have the cause of another one. */
const eventOf: Readonly<Record<string, string>> = { 'record_store.push_records': 'record_store.push_record' };

const subjects = [exampleId('operationGrant'), exampleId('routineGrant')];
const causes = subjects.flatMap((subject) =>
  [undefined, true as const].flatMap((secret_rotated) => {
    const change = { subject, data: { actor: { user_id: 'mika' }, secret_rotated } };
    return Object.values(changeEventTypes).map(({ cause }) => cause(change)?.call);
  }),
);

const writes = [...operations.values(), ...memberRoutes].filter(({ effect }) => effect === 'write');

test.each(writes)('$id makes a change event, or is known to make none', ({ id }) => {
  expect(causes.includes(eventOf[id] ?? id)).toBe(!withoutEvent.includes(id));
});
