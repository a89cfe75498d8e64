/** The newest revision, whose requests need no session. */
const STATELESS_VERSION = '2026-07-28';
/** What servers learn of this client. */
export const clientInfo = { name: 'action-platform', version: '1.0.0' };

/** What the requests of a connector have in common. */
export interface Session {
  /** Whether the server began a session, which it may end. */
  readonly isKept: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The `_meta` of each request; undefined in revisions with a handshake. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The requests of revision 2026-07-28, which needs no session. */
export const STATELESS: Session = {
  isKept: false,
  headers: { 'mcp-protocol-version': STATELESS_VERSION },
  meta: {
    'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** The requests before a handshake. */
export const BEFORE: Session = { isKept: false, headers: {} };
