import { z } from 'zod';
import { AUDIT, EVENTS } from '../bus/streams/all-streams.ts';
import type { Stream } from '../bus/streams/stream.ts';
import type { ProcessName } from '../services/services.ts';
import { agentVariables } from './agents.ts';
import { consoleVariables } from './console.ts';
import { mcpVariables } from './mcp-authorization.ts';
import { sessionVariables } from './sessions.ts';
import { flag, itemsOf, optionalText, optionalUrl, wholeNumber } from './variables.ts';

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();

/** The size of a stream. */
function streamSize({ name, maxBytes }: Stream) {
  return wholeNumber(
    `The most that the stream ${name} stores, in bytes, when it is created; \`admin stream set\` changes an existing one. [Streams](operations.md#streams).`,
    { min: 1_048_576, byDefault: maxBytes },
  );
}

/** The addresses at which custom operations may have their endpoints: the same where they are registered and where they are called. */
const endpointVariables = {
  CUSTOM_OPERATION_ALLOWED_NETWORKS: optionalText(
    'Networks such as `10.0.0.0/8`, separated by commas, in which the endpoints of custom operations may be, besides public addresses. They are open to every Owner.',
  ),
  CUSTOM_OPERATION_HTTP_TO_LOOPBACK: flag(
    '`true` permits `http` to this machine as an endpoint; only the local stack sets it.',
  ),
};

/**
 * The environment variables of single processes, by name; the service host has the common ones. Contracts declare them
 * because the local stack checks them before it starts a process.
 */
export const ownVariables = {
  gateway: z.object({
    HOST: z.string().default('127.0.0.1').describe('The address to listen on.'),
    PORT: wholeNumber('The port to listen on; 0 takes a free one.', { min: 0, max: 65_535, byDefault: 8080 }),
    CORS_ORIGINS: z
      .string()
      .optional()
      .transform(itemsOf)
      .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin), {
        error: 'must be origins such as https://app.example.com, separated by commas',
      })
      .describe('The origins of pages that may call from a browser (CORS), separated by commas.'),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, for absolute links in answers to agents; by default links are relative.',
    ),
    ...agentVariables.shape,
    ...mcpVariables.shape,
    ...consoleVariables.shape,
    ...sessionVariables.shape,
  }),
  grants: z.object({
    ERASURE_PAUSE_MS: wholeNumber(
      'The pause between the rounds of an erasure, in milliseconds: longer than any call and its way to the audit log. The first round begins this pause and `AUDIT_WINDOW_MS` after the end of access.',
      { min: 100, max: 86_400_000, byDefault: 60_000 },
    ),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, where endpoints of custom operations find the keys of its tokens; without it none can be registered.',
    ),
    ...agentVariables.shape,
    ...endpointVariables,
  }),
  knowledge: z.object({
    FILES_DIR: optionalText('The folder of the listed files, with the layout below.'),
    FILES_RESCAN_SECONDS: wholeNumber('The pause between two scans of FILES_DIR, in seconds.', {
      min: 1,
      max: 86_400,
      byDefault: 10,
    }),
    FILES_S3_BUCKET: optionalText('The bucket of the listed files: [files from S3](files.md).'),
    FILES_S3_PREFIX: z
      .string()
      .optional()
      .transform((prefix) => (prefix === undefined || prefix.endsWith('/') ? prefix : `${prefix}/`))
      .describe('The beginning of their keys; a missing slash at its end is added.'),
    FILES_S3_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as https://s3.example.com' })
      .optional()
      .describe('The URL of the S3 server; by default that of the region at AWS.'),
    FILES_S3_REGION: optionalText(
      'Its region; by default `AWS_REGION` or that of the profile, and `us-east-1` with an endpoint.',
    ),
    FILES_S3_PATH_STYLE: flag(
      '`true` puts the bucket into the path of URLs instead of the host name; many S3 servers need it.',
    ),
    FILES_S3_RESCAN_SECONDS: wholeNumber('The pause between two scans of FILES_S3_BUCKET, in seconds.', {
      min: 1,
      max: 86_400,
      byDefault: 60,
    }),
  }),
  mail: z.object({
    MAIL_LOCAL_DIR: z
      .string()
      .default('.local/mail')
      .describe("The folder of the local mail provider's drafts; replicas share it."),
    MAIL_LOCAL_DRAFT_URL_BASE: optionalUrl(
      'The URL that serves MAIL_LOCAL_DIR; by default drafts have no draft_url.',
      /^(https?|file)$/,
    ),
    MAIL_SECRET_KEYS: optionalText(
      'The keys that encrypt the secrets of mailboxes, `id:key` separated by commas or lines, each key 32 bytes in base64. The first one encrypts.',
    ),
    MAIL_SECRET_KEYS_FILE: optionalText('A file with the keys, instead of MAIL_SECRET_KEYS.'),
    MAIL_ALLOWED_NETWORKS: optionalText(
      'Networks such as `10.0.0.0/8`, separated by commas, in which the mail servers that Members name may be, besides public addresses.',
    ),
    MAIL_LOCAL_FOR_MEMBERS: flag(
      '`true` lets Members keep drafts in MAIL_LOCAL_DIR; only the local stack sets it.',
    ),
    MAIL_GRAPH_TENANT: z
      .guid({ error: 'must be the id of a tenant' })
      .optional()
      .describe('The id of the tenant at which Members sign in to [Microsoft 365](microsoft-365.md).'),
    MAIL_GRAPH_CLIENT_ID: optionalText('The id of the application that they sign in to.'),
    MAIL_GRAPH_LOGIN_URL: optionalUrl(
      'The address of that sign-in; the one of the global cloud by default.',
      /^https$/,
    ),
    MAIL_GRAPH_URL: optionalUrl(
      'The address of Microsoft Graph for them; the one of the global cloud by default.',
      /^https$/,
    ),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, to whose console Microsoft sends people back; MAIL_GRAPH_CLIENT_ID needs it.',
    ),
  }),
  events: z.object({
    EVENTS_STREAM_MAX_BYTES: streamSize(EVENTS),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, for messages in Slack and Teams; without it no endpoint of these forms can be created.',
    ),
    WEBHOOK_SECRET_KEYS: optionalText(
      'The keys that encrypt the secrets of webhook endpoints, in the form of MAIL_SECRET_KEYS. Without them no endpoint can be created.',
    ),
    WEBHOOK_SECRET_KEYS_FILE: optionalText('A file with the keys, instead of WEBHOOK_SECRET_KEYS.'),
    WEBHOOK_ALLOWED_NETWORKS: optionalText(
      'Networks such as `10.0.0.0/8`, separated by commas, in which webhook endpoints may be, besides public addresses.',
    ),
    WEBHOOK_PROXY: optionalUrl(
      'The URL of an HTTP proxy for webhook endpoints. It resolves their names, so it has to refuse private addresses.',
    ),
    WEBHOOK_HTTP_TO_LOOPBACK: flag(
      '`true` permits `http` to this machine as an endpoint; only the local stack sets it.',
    ),
  }),
  audit: z.object({
    // Longer than the streams keep what a call left, so that none is stored twice.
    AUDIT_RETENTION_DAYS: wholeNumber(
      'How long entries of the audit log are kept, in days. A shorter time also holds for stored entries, a longer one for later ones. [Audit log](audit.md#retention).',
      { min: 8, max: 36_500, byDefault: 400 },
    ),
    AUDIT_STREAM_MAX_BYTES: streamSize(AUDIT),
  }),
  'custom-operations': z.object({
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, which the tokens of calls name as their issuer; without it no endpoint is called.',
    ),
    CUSTOM_OPERATION_SIGNING_KEYS: optionalText(
      'The keys that sign the tokens of calls, in the form of MAIL_SECRET_KEYS. All of them are published, and the first one signs: beside others ten minutes after the start. Without keys no endpoint is called.',
    ),
    CUSTOM_OPERATION_SIGNING_KEYS_FILE: optionalText(
      'A file with the keys, instead of CUSTOM_OPERATION_SIGNING_KEYS.',
    ),
    ...endpointVariables,
    CUSTOM_OPERATION_PROXY: optionalUrl(
      'The URL of an HTTP proxy for endpoints. It resolves their names, so it has to refuse private addresses.',
    ),
  }),
} satisfies Partial<Record<ProcessName, z.ZodObject>>;

/** Returns the variables of one process; most have none of their own. */
export function ownVariablesOf(name: ProcessName): z.ZodObject {
  return (ownVariables as Partial<Record<ProcessName, z.ZodObject>>)[name] ?? z.object({});
}
