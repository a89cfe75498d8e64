import { rekeyMailSecrets } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.mail.rekey` */
export function serveRekey({ accounts }: Dependencies): ServedCall {
  return serveCall(rekeyMailSecrets, (_input, context) => accounts.rekey(context));
}
