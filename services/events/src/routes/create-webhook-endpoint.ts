import { requireTimeLeft } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import {
  type NewWebhookEndpoint,
  type SessionClaims,
  type webhookEndpointWithSecret,
  webhookRoutes,
} from '@action-platform/contracts/resources';
import { fingerprintOf } from '@action-platform/json';
import { destinationUrl } from '@action-platform/outbound-http';
import { type CallContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { z } from 'zod';
import { createSecret, sealedFor } from '../webhooks/endpoints/endpoint-secrets.ts';
import { describeEndpoint, type StoredEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { requireEventsOfForm, requirePages } from './taken-by-form.ts';

type Created = z.output<typeof webhookEndpointWithSecret>;

/** `events.create_webhook_endpoint` */
export function serveCreateWebhookEndpoint(webhooks: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.create, webhooks.requireOwner, (request, context) =>
    createEndpoint(webhooks, request, context.session, context),
  );
}

/**
 * Creates an endpoint, which gets every event that is stored from its acknowledgement on, and perhaps some of a moment before.
 *
 * As with grants, an Owner may repeat a create with an idempotency key, because the answer with the secret may have been lost. Until a
 * delivery has succeeded or the secret was rotated, the repetition replaces the secret; later it changes nothing and answers without one. A
 * repetition and a first success are updates of one document with a condition, so one of the two comes first.
 *
 * @throws ActionError `invalid_request` for a URL that is not permitted, for events that its form does not take, at the limit of the Workspace, or when the key was used with
 *   other input; `action_platform_unavailable` without the keys for secrets.
 */
async function createEndpoint(
  { endpoints, keys, policy, limits, ...webhooks }: Webhooks,
  { idempotencyKey, ...asked }: NewWebhookEndpoint,
  { workspaceId, userId }: SessionClaims,
  context: CallContext,
): Promise<Created> {
  if (keys.newest === undefined) {
    context.log.error(`webhooks need ${keys.variable}`);
    throw new ActionError('action_platform_unavailable');
  }
  const { types = null, collectionIds: named, description = null } = asked;
  const form = asked.form === 'event' ? undefined : asked.form;
  requirePages(form, limits.PUBLIC_URL);
  requireEventsOfForm(form, asked);
  const collectionIds = named ? await webhooks.collectionIds(workspaceId, named, context) : null;
  const request = [asked.url, types, collectionIds, description, ...(form === undefined ? [] : [form])];
  const requestHash = await fingerprintOf(request, '', context);
  for (;;) {
    const earlier = idempotencyKey && (await endpoints.findByKey(workspaceId, idempotencyKey, context));
    if (earlier) {
      const answer = await repetition({ endpoints, keys }, earlier, requestHash, context);
      if (answer !== undefined) return answer;
      continue;
    }
    const now = new Date();
    const owner = { _id: newId('webhookEndpoint'), workspace_id: workspaceId };
    const whole = destinationUrl(asked.url, policy);
    const signing = form === undefined ? createSecret(owner, keys, now) : undefined;
    const endpoint = {
      ...owner,
      url: form === undefined ? whole : new URL(whole).origin,
      ...(form && { form }),
      types,
      collection_ids: collectionIds,
      description,
      status: 'enabled',
      disabled_reason: null,
      created_at: now,
      created_by: userId,
      secrets: [signing?.stored ?? sealedFor(owner, whole, keys, now)],
      is_secret_used: form !== undefined,
      failing_since: null,
      behind: null,
      revision: 0,
      commits: { 0: { type: 'webhook_endpoint.created', at: now, ...context.origin } },
      idempotency_key: idempotencyKey ?? null,
      request_hash: requestHash,
    } as const;
    const inserted = await endpoints.insert(endpoint, limits.WORKSPACE_WEBHOOK_ENDPOINTS_MAX, context);
    if (inserted !== undefined)
      return { endpoint: describeEndpoint(inserted), ...(signing && { secret: signing.secret }) };
    // A concurrent create was first, perhaps with the same key.
  }
}

/** The answer to the repetition of a create that made this endpoint; undefined when it was changed or deleted since. */
async function repetition(
  { endpoints, keys }: Pick<Webhooks, 'endpoints' | 'keys'>,
  earlier: StoredEndpoint,
  requestHash: string,
  context: CallContext,
): Promise<Created | undefined> {
  if (earlier.request_hash !== requestHash) {
    const message = 'idempotencyKey: was already used to create another endpoint.';
    throw invalidRequest(message);
  }
  context.markReplayed();
  if (earlier.is_secret_used) return { endpoint: describeEndpoint(earlier) };
  // A caller whose deadline has passed may have repeated the call, and a new secret would end the one in its answer.
  requireTimeLeft(context);
  const { secret, stored } = createSecret(earlier, keys, new Date());
  const record = { origin: context.origin, condition: { is_secret_used: false } };
  const renewed = await endpoints.changeFrom(earlier, { secrets: [stored] }, record, context);
  return renewed && { endpoint: describeEndpoint(renewed), secret };
}
