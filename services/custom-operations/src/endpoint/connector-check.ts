import { isDefect } from '@action-platform/contracts/errors';
import type { SessionClaims } from '@action-platform/contracts/resources';
import { requestFailure, type Sender } from '@action-platform/outbound-http';
import type { CallContext } from '@action-platform/service-host';
import { type Credentials, hasCredential } from '../connectors/credentials.ts';
import type { StoredConnector } from '../connectors/stored-connector.ts';
import type { ConnectorTools } from './connector-tools.ts';
import { refusesCredential } from './outcome.ts';
import type { UnderWay } from './under-way.ts';

/** How long a check waits for an answer, in milliseconds. */
const CHECK_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024;

interface Checked {
  readonly reachable: boolean;
  readonly cause?: string;
}

interface Options {
  readonly sender: Sender;
  readonly credentials: Credentials;
  readonly underWay: UnderWay;
  readonly tools: ConnectorTools;
}

/** Checks connectors: one GET of the address with the credential, or the tools of an MCP server. */
export class ConnectorCheck {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the address of a connector answers, and does not refuse its credential. */
  async of(connector: StoredConnector, session: SessionClaims, context: CallContext): Promise<Checked> {
    if (connector.kind === 'mcp') {
      const listed = await this.#options.tools.of(connector, session, context);
      return 'tools' in listed ? { reachable: true } : { reachable: false, cause: listed.cause };
    }
    if (connector.status === 'removed') return { reachable: false, cause: 'connector_removed' };
    const { workspace_id, base_url } = connector;
    const checked = await this.#options.underWay.run(workspace_id, base_url, () =>
      this.#ask(connector, context),
    );
    return 'reachable' in checked ? checked : { reachable: false, cause: checked.cause };
  }

  async #ask(connector: StoredConnector, context: CallContext): Promise<Checked> {
    const { sender, credentials } = this.#options;
    // The time of an access token counts, too.
    const signal = AbortSignal.timeout(CHECK_MS);
    const credential = await credentials.of(connector, context);
    if ('is' in credential) return { reachable: false, cause: credential.cause };
    try {
      const { status } = await sender.send({
        method: 'GET',
        url: connector.base_url,
        headers: {
          'user-agent': 'action-platform',
          ...Object.fromEntries(connector.headers),
          ...credential.headers,
        },
        body: undefined,
        ...{ signal, isRepeatable: true, maxBytes: ANSWER_MAX_BYTES },
      });
      credentials.dropRefused(connector, credential, status);
      return refusesCredential(status, hasCredential(connector))
        ? { reachable: false, cause: 'credential_refused' }
        : { reachable: true };
    } catch (error) {
      if (isDefect(error)) throw error;
      return { reachable: false, cause: requestFailure(error, signal) };
    }
  }
}
