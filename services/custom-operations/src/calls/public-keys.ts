import { publicKeys } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `custom-operations.public_keys`: every key that may sign, also before it does. */
export function servePublicKeys({ keys }: Dependencies): ServedCall {
  const answer = { keys: keys.all.map(({ publicKey }) => ({ ...publicKey })) };
  return serveCall(publicKeys, () => Promise.resolve(answer));
}
