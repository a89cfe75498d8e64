import { ActionError, rekeyMailSecrets } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.mail.rekey` */
export function serveRekey({ accounts }: Dependencies): ServedCall {
  return serveCall(rekeyMailSecrets, async (_input, context) => {
    const key = accounts.newestKey;
    if (key === undefined) {
      throw new ActionError('invalid_request', {
        message: 'The mail service has no key: set MAIL_SECRET_KEYS.',
      });
    }
    return { key, ...(await accounts.rekey(context)) };
  });
}
