import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { exampleId } from '../ids/ids.ts';
import { connector, connectorFields, connectorName, connectorTool } from '../operations/custom/connector.ts';
import { field } from '../schema/fields.ts';

const content = {
  kind: 'http',
  baseUrl: 'https://api.shop.example.com/v1',
  idempotencyHeader: 'Idempotency-Key',
} as const;
const example = {
  id: exampleId('connector'),
  name: 'shop',
  status: 'active',
  ...content,
  auth: { type: 'bearer' },
  secretHint: 'cdef',
  createdAt: '2026-05-01T09:30:00.000Z',
  createdBy: 'olga',
  updatedAt: '2026-05-01T09:30:00.000Z',
  updatedBy: 'olga',
};

const all = { role: 'owner', path: '/api/v1/connectors' } as const;
const named = z.strictObject({ name: connectorName });
const output = z.strictObject({ connector });
const one = {
  ...all,
  path: `${all.path}/{name}`,
  input: named,
  output,
  answer: { description: 'The connector.', example: { connector: example } },
} as const;
const errors = ['connector_not_found'] as const;
const targets = (_input: object, result?: z.output<typeof output>) => [result?.connector.id];
const FRESH = 'Only for an Owner who has just signed in at the console.';

/** The routes with which Owners name the APIs of their company, with their credentials. */
export const connectorRoutes = {
  list: defineMemberRoute({
    ...all,
    id: 'custom_operations.list_connectors',
    method: 'get',
    title: 'List connectors',
    description: 'All of the Workspace, removed ones included, by name; at most 20.',
    input: z.strictObject({}),
    output: z.strictObject({ connectors: z.array(connector) }),
    answer: { description: 'The connectors.', example: { connectors: [example] } },
  }),
  put: defineMemberRoute({
    ...one,
    id: 'custom_operations.put_connector',
    method: 'put',
    freshSignIn: true,
    title: 'Create or change a connector',
    description: `Names the address of an API and the credential for it: see [connectors](/docs/guides/connectors). The next call follows it. Repeating an identical request changes nothing, and brings a removed one back. ${FRESH}`,
    input: named.extend(connectorFields),
    example: content,
    targets,
  }),
  get: defineMemberRoute({
    ...one,
    id: 'custom_operations.get_connector',
    method: 'get',
    title: 'Get a connector',
    description: 'Without its secret, also when it was removed.',
    errors,
  }),
  remove: defineMemberRoute({
    ...one,
    id: 'custom_operations.remove_connector',
    method: 'delete',
    freshSignIn: true,
    title: 'Remove a connector',
    description: `Deletes its secret; the next call of its operations fails. Safe to repeat. ${FRESH}`,
    answer: {
      description: 'The connector, removed.',
      example: { connector: { ...example, status: 'removed', secretHint: null } },
    },
    errors,
    targets,
  }),
  check: defineMemberRoute({
    ...one,
    path: `${one.path}/check`,
    id: 'custom_operations.check_connector',
    method: 'post',
    title: 'Check a connector',
    description:
      'Sends one GET to its address with its credential. Any answer shows that it is reachable, but 401 and 403 with a credential. Of an MCP server it lists the tools.',
    output: z.strictObject({
      reachable: z.boolean(),
      cause: field(z.string().optional(), 'The reason why it is not, as in the messages of calls.'),
    }),
    answer: {
      description: 'Whether it is reachable.',
      example: { reachable: false, cause: 'credential_refused' },
    },
    errors,
    // `checkConnector` changes nothing, and the name in its path is no id.
    targets: () => [],
  }),
  tools: defineMemberRoute({
    ...one,
    path: `${one.path}/tools`,
    id: 'custom_operations.list_connector_tools',
    method: 'get',
    title: 'List the tools of a connector',
    description:
      'Asks the MCP server behind it, each time, with its credential. `truncated` says that it has more than 200 tools, or too large ones.',
    output: z.strictObject({ tools: z.array(connectorTool), truncated: z.boolean() }),
    answer: {
      description: 'The tools.',
      example: {
        tools: [
          {
            name: 'create_issue',
            description: 'Opens an issue.',
            inputSchema: { type: 'object' },
            annotations: { destructiveHint: false },
            digest: '0'.repeat(64),
          },
        ],
        truncated: false,
      },
    },
    errors: ['connector_not_found', 'custom_endpoint_unavailable'],
  }),
};

export type ConnectorChange = z.output<typeof connectorRoutes.put.input>;
