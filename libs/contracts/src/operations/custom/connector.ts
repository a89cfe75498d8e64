import { z } from 'zod';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';
import { CONTROL_CHARACTERS, text } from '../../schema/text.ts';
import { CONNECTOR_NAME } from './target.ts';

/** Headers of the connection, of the body and of the platform: no connector may name them (RFC 9110, sections 5.1 and 7.6.1). */
const RESERVED =
  /^(host|cookie|authorization|content-.*|transfer-encoding|connection|upgrade|keep-alive|te|trailer|expect|proxy-.*|accept-encoding)$/i;

const headerName = text({ min: 1, max: 100 })
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header')
  .refine((name) => !RESERVED.test(name), 'is a header that no connector may set');

/** A value of a header: visible characters, and spaces between them. */
const headerValue = (max: number) =>
  text({ min: 1, max }).regex(/^[!-~]([ -~]*[!-~])?$/, 'must have printable ASCII characters alone');

const SECRET_MAX = 4096;
const anyText = (max: number) =>
  text({ min: 1, max }).regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'has a control character');

const aboutSecret = 'Never shown. Without it the stored one stays, where the rest of `auth` is equal.';
const inHeader = field(headerValue(SECRET_MAX).optional(), aboutSecret, 'sk_live_0123456789abcdef');
const secret = field(anyText(SECRET_MAX).optional(), aboutSecret, 'correct horse battery staple');
const name = field(headerName, 'The header with the secret.', 'X-Api-Key');
const login = field(
  anyText(200).regex(/^[^:]*$/, 'must have no colon'),
  'The user of HTTP Basic authentication.',
  'platform',
);
const url = text({ min: 1, max: 2000 });
const ofClient = {
  tokenUrl: field(
    url,
    'Where access tokens come from: an address as `baseUrl`.',
    'https://login.example.com/token',
  ),
  clientId: field(anyText(500), 'The client of OAuth 2.0.', 'action-platform'),
  scope: field(anyText(1000).optional(), 'The scope of the tokens.', 'orders.write'),
};

const forms = {
  none: {},
  bearer: { secret: inHeader },
  header: { name, secret: inHeader },
  basic: { login, secret },
  client_credentials: { ...ofClient, secret },
  platform: {},
};

/** How the requests of a connector authenticate. */
const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none'), ...forms.none }),
  z.strictObject({ type: z.literal('bearer'), ...forms.bearer }),
  z.strictObject({ type: z.literal('header'), ...forms.header }),
  z.strictObject({ type: z.literal('basic'), ...forms.basic }),
  z.strictObject({ type: z.literal('client_credentials'), ...forms.client_credentials }),
  z.strictObject({ type: z.literal('platform'), ...forms.platform }),
]);
export type ConnectorAuth = z.output<typeof auth>;

const fields = {
  kind: field(
    z.enum(['http', 'mcp']),
    'What is behind it: a REST API, or an MCP server; fixed for good.',
    'http',
  ),
  baseUrl: field(
    url,
    'Its address: https, to a public address, without user, query and fragment; fixed for good.',
    'https://api.shop.example.com/v1',
  ),
  idempotencyHeader: field(
    headerName.optional(),
    'The header in which the API takes an idempotency key.',
    'Idempotency-Key',
  ),
  headers: field(
    z
      .record(headerName, headerValue(500))
      .refine((all) => Object.keys(all).length <= 5, 'must be at most 5')
      .optional(),
    'Headers of each request; no secrets, as Owners see them.',
    { 'X-Api-Version': '2026-01-01' },
  ),
};

/** The content of a connector, in a request. */
export const connectorFields = {
  ...fields,
  auth: field(auth, 'How its requests authenticate.', { type: 'bearer', secret: 'sk_live_0123456789abcdef' }),
};

/** The name of a connector, in a path. */
export const connectorName = field(
  z.string().regex(CONNECTOR_NAME, 'must be a name such as shop, of at most 30 characters'),
  'The name of a connector.',
  'shop',
);

/** A connector as Owners see it: without its secret. */
export const connector = z.strictObject({
  id: field(opaqueId, 'Its name in events and in the audit log.'),
  name: z.string(),
  status: z.enum(['active', 'removed']),
  ...fields,
  auth: field(z.looseObject({ type: z.string() }), 'As it was sent, without the secret.'),
  secretHint: field(z.string().nullable(), 'The last 4 characters of a secret of at least 12.'),
  createdAt: timestamp,
  createdBy: z.string(),
  updatedAt: timestamp,
  updatedBy: z.string(),
});
export type Connector = z.output<typeof connector>;

/** The most tools of a server that are read. */
export const TOOLS_MAX = 200;

/** A tool of the MCP server behind a connector. */
export const connectorTool = z.strictObject({
  name: field(z.string(), 'Its name at the server.', 'create_issue'),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: field(z.looseObject({}), 'As the server sent it.'),
  annotations: field(z.looseObject({}), 'What the server says about its effect.'),
  digest: field(
    z.string(),
    'SHA-256 of the canonical JSON (RFC 8785) of name, description, inputSchema and annotations; empty for a tool of more than 64 KiB.',
  ),
  problem: field(z.string().optional(), 'The reason why no operation can call it.'),
});
export type ConnectorTool = z.output<typeof connectorTool>;
