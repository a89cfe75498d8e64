import { z } from 'zod';
import { defineCall } from './call.ts';
import type { ServiceName } from './services.ts';

/** Does a replica of this service work, its database included? */
export function healthCall(service: ServiceName) {
  return defineCall({
    subject: `health.${service}`,
    service,
    callers: ['gateway', 'admin'],
    effect: 'read',
    input: z.strictObject({}),
    output: z.strictObject({ ok: z.literal(true) }),
  });
}
