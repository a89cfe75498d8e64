import { nextStep } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { errorsOf, operations } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { whyUnavailable } from './availability.ts';
import type { Membership } from './stored-member.ts';

test.each([
  ['owner', { mail_suite: 'con_1' }],
  ['owner', {}],
  ['member', { mail_suite: 'con_1' }],
  ['member', {}],
] as const)(
  'a session of role %s with the apps %j has each operation that a next step of its calls names',
  (role, connections) => {
    const all = [...operations.values()];
    const available = all.filter(
      (operation) => !whyUnavailable(operation, { role, connections } as Membership),
    );
    const steps = available.flatMap((operation) => errorsOf(operation).map((code) => nextStep(code))).join();
    const named = all.filter(({ id }) => steps.includes(id) || steps.includes(toolName(id)));
    expect(named).not.toEqual([]);
    expect(available).toEqual(expect.arrayContaining(named));
  },
);
