import { callOf, type Scenario } from './scenario.ts';

/** Calls that only the platform serves. */
export const platformScenarios: readonly Scenario[] = [
  {
    name: 'discovery',
    description: 'List the operations that the caller can run now.',
    platformOnly: true,
    prepare: async () => [{ weight: 1, method: 'GET', path: '/api/v1/operations', bodies: [''] }],
  },
  {
    name: 'mail-draft',
    description: 'Draft an e-mail in a mailbox of the local mail provider, with a new key each time.',
    platformOnly: true,
    prepare: async () => [
      callOf('mail.send_email', [
        { to: ['ada@example.com'], subject: 'Hello', body: 'Good afternoon.', idempotency_key: '$unique' },
      ]),
    ],
  },
];
