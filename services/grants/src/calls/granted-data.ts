import { grantedData } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.granted_data`: the data that a routine grant reaches, whatever its status. */
export function serveGrantedData({ grants }: Dependencies): ServedCall {
  return serveCall(grantedData, async ({ grantId }, context) => ({
    data: await grants.dataOf(grantId, context),
  }));
}
