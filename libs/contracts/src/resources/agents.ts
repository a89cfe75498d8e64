import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { dateTime, field } from '../schema/fields.ts';
import { text } from '../schema/text.ts';
import { clientId } from './agent-policy.ts';
import {
  agentClient,
  agentGrant,
  exampleAgentGrant,
  exampleExpiry,
  grantedOperations,
  grantName,
  scopeOfData,
} from './grants.ts';

/** The longest redirect URI, and the most of a client. */
export const REDIRECT_URI_MAX_LENGTH = 500;
export const REDIRECT_URIS_MAX = 10;

/** The days for which a consent holds when it says nothing else. */
export const AGENT_GRANT_DAYS = 30;

const redirectUri = field(
  text({ min: 1, max: REDIRECT_URI_MAX_LENGTH }),
  'Where the program waits for the answer: one of its own addresses.',
  'https://agent.example.com/callback',
);

const path = '/api/v1/agent-authorizations';
const redirectTo = 'https://agent.example.com/callback?code=apc_0000&iss=https%3A%2F%2Factions.example.com';

const authorization = z.strictObject({
  clientId,
  redirectUri,
  codeChallenge: field(
    z.string().regex(/^[\w-]{43}$/, 'must be 43 characters of base64url'),
    'The code_challenge of the request (RFC 7636, S256).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  resource: field(
    text({ min: 1, max: 2000 }),
    'The address of /mcp, for which the access tokens are.',
    'https://actions.example.com/mcp',
  ),
  state: field(text({ max: 4000 }).optional(), 'Returned to the program as it is.', 'af0ifjsldkj'),
  operations: grantedOperations,
  data: scopeOfData,
  expiresAt: field(
    dateTime.optional(),
    `When the grant ends: at most 366 days ahead; by default in ${AGENT_GRANT_DAYS} days, or as soon as the policy demands.`,
    exampleExpiry,
  ),
  name: grantName.optional(),
});

/** A redirect URI with the parameters of an answer, whose own query stays as it is (RFC 6749, section 3.1.2). */
export function redirectWith(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** The routes of the page on which a Member lets a program act for them. */
export const agentRoutes = {
  consent: defineMemberRoute({
    path,
    id: 'grants.get_agent_consent',
    method: 'get',
    title: 'Get what a program may be allowed',
    description:
      'For the page of consent: who asks, and what this Member may allow it by their role and by the policy of the Workspace.',
    // The names of the parameters are those of `GET /oauth/authorize`.
    input: z.strictObject({ client_id: clientId, redirect_uri: redirectUri }),
    output: z.strictObject({
      client: agentClient,
      operations: field(z.array(z.string()), 'The ids of the operations that the Member may allow, sorted.'),
      maxDays: field(z.int(), 'The most days for which.'),
    }),
    answer: {
      description: 'The program, and the most that the Member may allow.',
      example: { client: exampleAgentGrant.client, operations: exampleAgentGrant.operations, maxDays: 366 },
    },
  }),
  authorize: defineMemberRoute({
    path,
    id: 'grants.create_agent_grant',
    method: 'post',
    freshSignIn: true,
    title: 'Let a program act for the Member',
    description:
      'Creates the grant of an agent, and a code that the program exchanges at /oauth/token within 60 seconds. Only for a Member who has just signed in at the console.',
    input: authorization,
    output: z.strictObject({
      grant: agentGrant,
      redirectTo: field(z.string(), 'Where the browser goes now: the redirect URI with the code.'),
    }),
    answer: {
      status: 201,
      description: 'The grant, and where the browser takes the code.',
      example: { grant: exampleAgentGrant, redirectTo },
    },
    targets: (_input, result) => [result?.grant.id],
  }),
};
