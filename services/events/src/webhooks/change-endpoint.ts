import type { MemberCallContext } from '@action-platform/service-host';
import type { EndpointChange, Endpoints } from './endpoints.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';

/**
 * Changes an endpoint of the caller's Workspace, and returns the changed one. Of concurrent changes each applies to the outcome of
 * the one before.
 *
 * @param changeOf the change to an endpoint as it is; called again when the endpoint changed in the meantime.
 * @throws ActionError `webhook_endpoint_not_found`, and the errors of `changeOf`.
 */
export async function changeEndpoint(
  { endpoints }: { readonly endpoints: Endpoints },
  id: string,
  context: MemberCallContext<unknown>,
  changeOf: (present: StoredEndpoint) => EndpointChange | Promise<EndpointChange>,
): Promise<StoredEndpoint> {
  for (;;) {
    const present = await endpoints.require(context.session.workspaceId, id, context);
    const changed = await endpoints.change(present, await changeOf(present), context);
    if (changed !== undefined) return changed;
  }
}
