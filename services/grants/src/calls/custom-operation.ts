import { findCustomOperation } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `grants.custom_operation`: a custom operation of a Workspace, also a removed one. */
export function serveFindCustomOperation({ customOperations }: Dependencies): ServedCall {
  return serveCall(findCustomOperation, (key, context) => customOperations.require(key, context));
}
