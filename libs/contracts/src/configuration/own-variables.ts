import { z } from 'zod';
import type { ProcessName } from '../services.ts';
import { consoleVariables } from './console.ts';
import { mcpVariables } from './mcp-authorization.ts';
import { sessionVariables } from './sessions.ts';

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''))
  .optional();

/** The addresses at which custom operations may have their endpoints: the same where they are registered and where they are called. */
const endpointVariables = {
  CUSTOM_OPERATION_ALLOWED_NETWORKS: z
    .string()
    .optional()
    .describe(
      'Networks such as `10.0.0.0/8`, separated by commas, in which the endpoints of custom operations may be, besides public addresses; none by default. They are open to every Owner.',
    ),
  CUSTOM_OPERATION_HTTP_TO_LOOPBACK: z
    .stringbool({ error: 'must be true or false' })
    .prefault('false')
    .describe('`true` permits `http` to this machine as an endpoint; only the local stack sets it.'),
};

/**
 * The environment variables of single processes, by name; the service host has the common ones. Contracts declare them
 * because the local stack checks them before it starts a process.
 */
export const ownVariables = {
  gateway: z.object({
    HOST: z.string().default('127.0.0.1').describe('The address to listen on.'),
    PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(8080)
      .describe('The port to listen on; 0 takes a free one.'),
    CORS_ORIGINS: z
      .string()
      .optional()
      .transform((list = '') =>
        list
          .split(',')
          .map((origin) => origin.trim())
          .filter((origin) => origin !== ''),
      )
      .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin), {
        error: 'must be origins such as https://app.example.com, separated by commas',
      })
      .describe(
        'The origins whose pages may call from a browser (CORS), separated by commas; none by default.',
      ),
    PUBLIC_URL: publicUrl.describe(
      'The URL that callers know the gateway by, for absolute links in answers to agents; by default the links are relative.',
    ),
    ...mcpVariables.shape,
    ...consoleVariables.shape,
    ...sessionVariables.shape,
  }),
  grants: z.object({
    ERASURE_PAUSE_MS: z.coerce
      .number()
      .int()
      .min(100)
      .max(86_400_000)
      .default(60_000)
      .describe(
        'The pause between the rounds of an erasure of a Member or a Workspace, in milliseconds: longer than any call and its way to the audit log. The first round begins this pause and `AUDIT_WINDOW_MS` after the end of access.',
      ),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, by which endpoints of custom operations find the keys of its tokens; without it none can be registered.',
    ),
    ...endpointVariables,
  }),
  knowledge: z.object({
    FILES_DIR: z
      .string()
      .optional()
      .describe('The folder of the listed files, with the layout below; none by default.'),
    FILES_RESCAN_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(86_400)
      .default(10)
      .describe('The pause between two scans of FILES_DIR, in seconds.'),
    FILES_S3_BUCKET: z
      .string()
      .optional()
      .describe('The bucket of the listed files: [files from S3](files.md); none by default.'),
    FILES_S3_PREFIX: z
      .string()
      .optional()
      .transform((prefix) => (prefix === undefined || prefix.endsWith('/') ? prefix : `${prefix}/`))
      .describe('The beginning of their keys; a missing slash at its end is added.'),
    FILES_S3_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as https://s3.example.com' })
      .optional()
      .describe('The URL of the S3 server; by default that of the region at AWS.'),
    FILES_S3_REGION: z
      .string()
      .optional()
      .describe(
        'Its region; by default `AWS_REGION` or that of the profile, and `us-east-1` with an endpoint.',
      ),
    FILES_S3_PATH_STYLE: z
      .stringbool({ error: 'must be true or false' })
      .prefault('false')
      .describe(
        '`true` puts the bucket into the path of URLs instead of the host name; many S3 servers need it.',
      ),
    FILES_S3_RESCAN_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(86_400)
      .default(60)
      .describe('The pause between two scans of FILES_S3_BUCKET, in seconds.'),
  }),
  mail: z.object({
    MAIL_LOCAL_DIR: z
      .string()
      .default('.local/mail')
      .describe("The folder of the local mail provider's drafts; replicas share it."),
    MAIL_LOCAL_DRAFT_URL_BASE: z
      .url({ protocol: /^(https?|file)$/ })
      .optional()
      .describe(
        'The URL that serves MAIL_LOCAL_DIR to readers of drafts; by default drafts have no draft_url.',
      ),
    MAIL_SECRET_KEYS: z
      .string()
      .optional()
      .describe(
        'The keys that encrypt the secrets of mailboxes, `id:key` separated by commas or lines, each key 32 bytes in base64. The first one encrypts.',
      ),
    MAIL_SECRET_KEYS_FILE: z
      .string()
      .optional()
      .describe('A file with the keys, instead of MAIL_SECRET_KEYS.'),
    MAIL_ALLOWED_NETWORKS: z
      .string()
      .optional()
      .describe(
        'Networks such as `10.0.0.0/8`, separated by commas, in which the mail servers that Members name may be, besides public addresses; none by default.',
      ),
    MAIL_LOCAL_FOR_MEMBERS: z
      .stringbool({ error: 'must be true or false' })
      .prefault('false')
      .describe('`true` lets Members keep drafts in MAIL_LOCAL_DIR; only the local stack sets it.'),
    MAIL_GRAPH_TENANT: z
      .guid({ error: 'must be the id of a tenant' })
      .optional()
      .describe('The id of the tenant at which Members sign in to [Microsoft 365](microsoft-365.md).'),
    MAIL_GRAPH_CLIENT_ID: z.string().optional().describe('The id of the application that they sign in to.'),
    MAIL_GRAPH_LOGIN_URL: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('The address of that sign-in; the one of the global cloud by default.'),
    MAIL_GRAPH_URL: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('The address of Microsoft Graph for them; the one of the global cloud by default.'),
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, to whose console Microsoft sends people back; MAIL_GRAPH_CLIENT_ID needs it.',
    ),
  }),
  events: z.object({
    WEBHOOK_SECRET_KEYS: z
      .string()
      .optional()
      .describe(
        'The keys that encrypt the secrets of webhook endpoints, in the form of MAIL_SECRET_KEYS. Without them no endpoint can be created.',
      ),
    WEBHOOK_SECRET_KEYS_FILE: z
      .string()
      .optional()
      .describe('A file with the keys, instead of WEBHOOK_SECRET_KEYS.'),
    WEBHOOK_ALLOWED_NETWORKS: z
      .string()
      .optional()
      .describe(
        'Networks such as `10.0.0.0/8`, separated by commas, in which webhook endpoints may be, besides public addresses; none by default.',
      ),
    WEBHOOK_PROXY: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'The URL of an HTTP proxy for all requests to webhook endpoints. It resolves their names, so it has to refuse private addresses.',
      ),
    WEBHOOK_HTTP_TO_LOOPBACK: z
      .stringbool({ error: 'must be true or false' })
      .prefault('false')
      .describe('`true` permits `http` to this machine as an endpoint; only the local stack sets it.'),
  }),
  'custom-operations': z.object({
    PUBLIC_URL: publicUrl.describe(
      'The URL of the gateway, which the tokens of calls name as their issuer; without it no endpoint is called.',
    ),
    CUSTOM_OPERATION_SIGNING_KEYS: z
      .string()
      .optional()
      .describe(
        'The keys that sign the tokens of calls, in the form of MAIL_SECRET_KEYS. All of them are published, and the first one signs: beside others ten minutes after the start. Without keys no endpoint is called.',
      ),
    CUSTOM_OPERATION_SIGNING_KEYS_FILE: z
      .string()
      .optional()
      .describe('A file with the keys, instead of CUSTOM_OPERATION_SIGNING_KEYS.'),
    ...endpointVariables,
    CUSTOM_OPERATION_PROXY: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'The URL of an HTTP proxy for all requests to endpoints. It resolves their names, so it has to refuse private addresses.',
      ),
  }),
} satisfies Partial<Record<ProcessName, z.ZodObject>>;

/** Returns the variables of one process; most have none of their own. */
export function ownVariablesOf(name: ProcessName): z.ZodObject {
  return (ownVariables as Partial<Record<ProcessName, z.ZodObject>>)[name] ?? z.object({});
}
