import { ActionError } from '@action-platform/contracts';
import type { Body } from './exchange.ts';

/** A body that is in memory, of at most `limit` bytes. */
export function arrivedBody(bytes: Uint8Array, limit = Number.POSITIVE_INFINITY): Body {
  return {
    hasArrived: () => Promise.resolve(true),
    read: async () => {
      if (bytes.length <= limit) return bytes;
      const message = `The arguments are larger than ${limit} bytes.`;
      throw new ActionError('request_body_too_large', { message });
    },
  };
}
