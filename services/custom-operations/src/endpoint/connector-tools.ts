import { invalidRequest } from '@action-platform/contracts/errors';
import type { SessionClaims } from '@action-platform/contracts/resources';
import type { CallContext } from '@action-platform/service-host';
import type { Unavailable } from '../cause.ts';
import type { StoredConnector } from '../connectors/stored-connector.ts';
import type { Authorization } from './authorization.ts';
import type { McpServers } from './mcp/servers.ts';
import type { ListedTools } from './mcp/tool-list.ts';
import type { UnderWay } from './under-way.ts';

interface Options {
  readonly servers: McpServers;
  readonly authorization: Authorization;
  readonly underWay: UnderWay;
}

/** The operation that a token of the platform names when an Owner lists tools. */
const LISTING = { id: 'custom_operations.list_connector_tools', revision: 0 };

/** Lists the tools of the servers behind connectors for Owners. */
export class ConnectorTools {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * The tools of a connector as its server lists them now.
   *
   * @throws ActionError `invalid_request` for a connector of an API.
   */
  async of(
    connector: StoredConnector,
    { workspaceId, userId }: SessionClaims,
    context: CallContext,
  ): Promise<ListedTools | Unavailable> {
    if (connector.kind !== 'mcp') {
      const message = 'name: this connector is of an API; connectors of the kind mcp have tools.';
      throw invalidRequest(message);
    }
    if (connector.status === 'removed') return { is: 'unavailable', cause: 'connector_removed' };
    const { servers, authorization, underWay } = this.#options;
    const { base_url: url } = connector;
    const principal = { workspaceId, userId, role: 'owner' } as const;
    const caller = { principal, requestId: context.requestId, log: context.log };
    const authorizing = authorization.of({ connector, url, operation: LISTING }, caller);
    return await underWay.run(workspaceId, url, () => servers.tools(connector, authorizing));
  }
}
