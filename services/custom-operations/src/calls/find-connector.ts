import { findConnector } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Connectors } from '../connectors/connectors.ts';

/** `custom-operations.connector`: an active connector, for the target of a definition. */
export function serveFindConnector(connectors: Connectors): ServedCall {
  return serveCall(findConnector, async (key, context) => {
    const found = await connectors.active(key, context);
    return found === undefined
      ? {}
      : { found: { id: found._id, kind: found.kind, takesKey: found.idempotency_header !== null } };
  });
}
