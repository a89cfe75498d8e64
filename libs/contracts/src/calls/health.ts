import { z } from 'zod';
import type { Call } from '../declaration/call.ts';
import type { ServiceName } from '../services/services.ts';

/** The health check of a replica of this service, with its database. */
export function healthCall(service: ServiceName) {
  const id = `health.${service}` as const;
  return {
    id,
    audience: 'service',
    subject: id,
    service,
    callers: ['gateway', 'admin'],
    effect: 'read',
    idempotent: 'always',
    input: z.object({}),
    output: z.object({ ok: z.literal(true) }),
  } as const satisfies Call;
}
