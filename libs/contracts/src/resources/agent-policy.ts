import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { field, opaqueId } from '../schema/fields.ts';
import { text } from '../schema/text.ts';

/** The longest client_id: a registration has ten redirect URIs of 500 characters. */
const CLIENT_ID_MAX = 10_000;

export const clientId = field(
  text({ min: 1, max: CLIENT_ID_MAX }),
  'The client_id of the program: the address of its own document, or the one of its registration.',
  'https://agent.example.com/client.json',
);

const listedClient = z.strictObject({
  clientId,
  operations: field(
    z.array(opaqueId).min(1).max(100).optional(),
    'The operations that it may get; when left out, all.',
    ['record_store.get_record'],
  ),
  maxDays: field(z.int().min(1).max(366).optional(), 'The most days that a grant of it lives.', 30),
});

const agentPolicy = z.strictObject({
  revision: field(z.int().min(0), 'Counts the changes of the policy; 0 before the first.', 3),
  clients: field(
    z.enum(['any', 'listed']),
    'Which programs Members may connect: any, or the listed ones. The limits of a listed one hold in either case.',
    'listed',
  ),
  listed: field(z.array(listedClient).max(100), 'The programs, each once, with their limits.', [
    { clientId: 'https://agent.example.com/client.json', maxDays: 30 },
  ]),
  ownersMayConnect: field(
    z.boolean(),
    'Whether Owners may connect programs, which then act as Owners.',
    false,
  ),
});
export type AgentPolicy = z.output<typeof agentPolicy>;

/** The policy of a Workspace that has set none. */
export const OPEN_POLICY: AgentPolicy = { revision: 0, clients: 'any', listed: [], ownersMayConnect: true };

const example = {
  revision: 3,
  clients: 'listed',
  listed: [{ clientId: 'https://agent.example.com/client.json', maxDays: 30 }],
  ownersMayConnect: false,
};
const common = { role: 'owner', path: '/api/v1/agent-policy', output: agentPolicy } as const;

/** The routes with which Owners limit the programs that Members connect. */
export const agentPolicyRoutes = {
  get: defineMemberRoute({
    ...common,
    id: 'grants.get_agent_policy',
    method: 'get',
    title: 'Get the policy of agents',
    description: 'The programs that Members of the Workspace may connect, and their limits.',
    input: z.strictObject({}),
    answer: { description: 'The policy.', example },
  }),
  set: defineMemberRoute({
    ...common,
    id: 'grants.set_agent_policy',
    method: 'put',
    freshSignIn: true,
    title: 'Set the policy of agents',
    description:
      'Replaces the policy; `revision` is the present one. It holds at every consent and every refresh from now on; a grant that it no longer allows gets no further access token. Only for an Owner who has just signed in at the console.',
    // A schema of its own has a name of its own in the API reference.
    input: agentPolicy.clone(),
    example,
    targets: () => [],
    answer: { description: 'The policy, with the next revision.', example: { ...example, revision: 4 } },
  }),
};
