import type { Bus } from '@action-platform/bus';
import { connectorRoutes as routes } from '@action-platform/contracts/resources';
import type { DestinationPolicy } from '@action-platform/outbound-http';
import { requireOwner, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Connectors } from '../connectors/connectors.ts';
import { requestedConnector } from '../connectors/requested-connector.ts';
import { describeConnector } from '../connectors/stored-connector.ts';
import type { ConnectorCheck } from '../endpoint/connector-check.ts';
import type { ConnectorTools } from '../endpoint/connector-tools.ts';
import type { McpServers } from '../endpoint/mcp/servers.ts';
import { failureOf } from '../endpoint/outcome.ts';

interface Dependencies {
  readonly bus: Bus;
  readonly connectors: Connectors;
  readonly check: ConnectorCheck;
  readonly tools: ConnectorTools;
  readonly servers: McpServers;
  /** The addresses that connectors may have. */
  readonly policy: DestinationPolicy;
}

/** The routes with which Owners manage the connectors of their Workspace. */
export function serveConnectorRoutes({
  bus,
  connectors,
  check,
  tools,
  servers,
  policy,
}: Dependencies): ServedCall[] {
  const owner = requireOwner(bus);
  return [
    serveMemberRoute(routes.list, owner, async (_input, context, { workspaceId }) => ({
      connectors: (await connectors.list(workspaceId, context)).map(describeConnector),
    })),

    serveMemberRoute(routes.get, owner, async ({ name }, context, { workspaceId }) => ({
      connector: describeConnector(await connectors.require({ workspaceId, name }, context)),
    })),

    serveMemberRoute(routes.put, owner, async (input, context, session) => {
      const asked = requestedConnector(input, policy);
      return { connector: describeConnector(await connectors.put(session, asked, context)) };
    }),

    serveMemberRoute(routes.remove, owner, async ({ name }, context, { workspaceId }) => {
      const removed = await connectors.remove({ workspaceId, name }, context);
      servers.forget(removed);
      return { connector: describeConnector(removed) };
    }),

    serveMemberRoute(routes.check, owner, async ({ name }, context, session) =>
      check.of(await connectors.require({ ...session, name }, context), session, context),
    ),

    serveMemberRoute(routes.tools, owner, async ({ name }, context, session) => {
      const connector = await connectors.require({ ...session, name }, context);
      const listed = await tools.of(connector, session, context);
      if ('is' in listed) throw failureOf(listed.cause, 'custom_endpoint_unavailable');
      return { tools: [...listed.tools], truncated: listed.truncated };
    }),
  ];
}
