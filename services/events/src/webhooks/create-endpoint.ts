import { hash } from 'node:crypto';
import {
  ActionError,
  type Limits,
  limitReached,
  type NewWebhookEndpoint,
  newId,
  requireTimeLeft,
  type SessionClaims,
  type webhookEndpointWithSecret,
} from '@action-platform/contracts';
import type { SecretKeys } from '@action-platform/sealed-secrets';
import type { CallContext } from '@action-platform/service-host';
import type { z } from 'zod';
import { createSecret } from './endpoint-secrets.ts';
import { type DestinationPolicy, endpointUrl } from './endpoint-url.ts';
import type { Endpoints } from './endpoints.ts';
import { describeEndpoint } from './stored-endpoint.ts';

interface CreateDependencies {
  readonly endpoints: Endpoints;
  readonly keys: SecretKeys;
  readonly policy: DestinationPolicy;
  readonly limits: Pick<Limits, 'WORKSPACE_WEBHOOK_ENDPOINTS_MAX'>;
}

type Created = z.output<typeof webhookEndpointWithSecret>;

/**
 * Creates an endpoint, which gets every event that is stored from its acknowledgement on, and perhaps some of a moment before.
 *
 * As with grants, an Owner may repeat a create with an idempotency key, because the answer with the secret may have been lost. Until
 * a delivery has succeeded or the secret was rotated, the repetition replaces the secret; later it changes nothing and answers
 * without one. Both are updates of one document with a condition, so one of a repetition and a first success comes first.
 *
 * @throws ActionError `invalid_request` for a URL that is not permitted, at the limit of the Workspace, or when the key was used with
 *   other input; `action_platform_unavailable` without the keys for secrets.
 */
export async function createEndpoint(
  { endpoints, keys, policy, limits }: CreateDependencies,
  { idempotencyKey, ...asked }: NewWebhookEndpoint,
  { workspaceId, userId }: SessionClaims,
  context: CallContext,
): Promise<Created> {
  if (keys.newest === undefined) {
    context.log.error(`webhooks need ${keys.variable}`);
    throw new ActionError('action_platform_unavailable');
  }
  const requestHash = hash(
    'sha256',
    JSON.stringify([asked.url, asked.types ?? null, asked.collectionIds ?? null, asked.description ?? null]),
    'base64url',
  );
  const repeated = () => repetition({ endpoints, keys }, workspaceId, idempotencyKey, requestHash, context);
  const earlier = await repeated();
  if (earlier !== undefined) return earlier;

  const url = endpointUrl(asked.url, policy);
  const max = limits.WORKSPACE_WEBHOOK_ENDPOINTS_MAX;
  const now = new Date();
  const owner = { _id: newId('webhookEndpoint'), workspace_id: workspaceId };
  const { secret, stored } = createSecret(owner, keys, now);
  const endpoint = {
    ...owner,
    url,
    types: asked.types ?? null,
    collection_ids: asked.collectionIds ?? null,
    description: asked.description ?? null,
    status: 'enabled',
    created_at: now,
    created_by: userId,
    secrets: [stored],
    is_secret_used: false,
    failing_since: null,
    revision: 0,
    commits: { 0: { type: 'webhook_endpoint.created', at: now, ...context.origin } },
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey, request_hash: requestHash }),
  } as const;
  const inserted = await endpoints.insert(endpoint, max, context);
  if (typeof inserted === 'object') return { endpoint: describeEndpoint(inserted), secret };
  // Another create with this key was first.
  const other = await repeated();
  if (other !== undefined) return other;
  if (inserted === 'repeated') throw new ActionError('action_platform_unavailable');
  throw limitReached(`The Workspace has ${max} webhook endpoints`, 'Delete one that is not needed.');
}

/** The answer to the repetition of a create; undefined without a key, or when the key has made no endpoint. */
async function repetition(
  { endpoints, keys }: Pick<CreateDependencies, 'endpoints' | 'keys'>,
  workspaceId: string,
  idempotencyKey: string | undefined,
  requestHash: string,
  context: CallContext,
): Promise<Created | undefined> {
  if (idempotencyKey === undefined) return undefined;
  for (;;) {
    const endpoint = await endpoints.findByKey(workspaceId, idempotencyKey, context);
    if (endpoint === undefined) return undefined;
    if (endpoint.request_hash !== requestHash) {
      throw new ActionError('invalid_request', {
        message: 'idempotencyKey: was already used to create another endpoint.',
      });
    }
    context.markReplayed();
    if (endpoint.is_secret_used) return { endpoint: describeEndpoint(endpoint) };
    // A caller whose deadline has passed may have repeated the call, and a new secret would end the one in its answer.
    requireTimeLeft(context);
    const { secret, stored } = createSecret(endpoint, keys, new Date());
    const isUnused = { is_secret_used: false };
    const change = { secrets: [stored] };
    const renewed = await endpoints.changeFrom(endpoint, change, context.origin, context, isUnused);
    if (renewed !== undefined) return { endpoint: describeEndpoint(renewed), secret };
  }
}
