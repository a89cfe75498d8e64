import { grantedData } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.granted_data`: the data scope of a routine grant of any status. */
export function serveGrantedData({ grants }: Dependencies): ServedCall {
  return serveCall(grantedData, async ({ grantId }, context) => ({
    data: await grants.dataOf(grantId, context),
  }));
}
