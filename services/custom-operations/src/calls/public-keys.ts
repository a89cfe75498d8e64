import { publicKeys } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { SigningKeys } from '../signing/signing-keys.ts';

/** `custom-operations.public_keys`: every key that may sign, also before it does. */
export function servePublicKeys(signing: SigningKeys): ServedCall {
  const keys = signing.all.map(({ publicKey }) => ({ ...publicKey }));
  return serveCall(publicKeys, () => Promise.resolve({ keys }));
}
