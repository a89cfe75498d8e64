import { z } from 'zod';
import type { Route } from '../declaration/route.ts';

const open = { tag: 'health', caller: 'anyone' } as const;

const ok = { body: z.strictObject({ status: z.literal('ok') }), example: { status: 'ok' } };

/** The probes of load balancers and orchestrators. No limit applies to them: an overloaded gateway still answers that it runs. */
export const healthRoutes = {
  livez: {
    ...open,
    method: 'get',
    path: '/livez',
    operationId: 'getLiveness',
    title: 'Does this process run?',
    description: 'Answers as long as the gateway runs, whatever the state of the services behind it.',
    answers: [{ status: 200, description: 'It runs.', ...ok }],
    errors: ['invalid_request'],
  },
  readyz: {
    ...open,
    method: 'get',
    path: '/readyz',
    operationId: 'getReadiness',
    title: 'Does every dependency answer?',
    description:
      'Asks every service behind the gateway, each with its database. The error names those that do not answer, or says that this gateway is about to stop.',
    answers: [{ status: 200, description: 'Every dependency answers.', ...ok }],
    errors: ['invalid_request', 'action_platform_unavailable'],
  },
} as const satisfies Record<string, Route>;
