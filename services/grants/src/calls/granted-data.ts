import { grantedData } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.granted_data`: the name of a grant of any status, and the data scope of a routine grant. */
export function serveGrantedData({ grants }: Dependencies): ServedCall {
  return serveCall(grantedData, async ({ grantId }, context) => {
    const grant = await grants.find(grantId, context);
    return { data: grant?.kind === 'routine' ? grant.data : null, name: grant?.name };
  });
}
