import { z } from 'zod';
import type { ServiceName } from '../services.ts';
import type { Call } from './call.ts';

/** The health check of a replica of this service, with its database. */
export function healthCall(service: ServiceName) {
  return {
    subject: `health.${service}`,
    service,
    callers: ['gateway', 'admin'],
    effect: 'read',
    idempotent: 'always',
    input: z.object({}),
    output: z.object({ ok: z.literal(true) }),
  } as const satisfies Call;
}
