import { callService } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import { publicKeys } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { isIdOf, newRequestId } from '@action-platform/contracts/ids';
import { tokenIssuer, tokenIssuerRoutes } from '@action-platform/contracts/routes';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Dependencies } from '../dependencies.ts';
import { type HttpAnswer, jsonAnswer } from '../http/answers/http-answer.ts';
import { send } from '../http/answers/send.ts';
import type { ApiResponse } from '../http/api-response.ts';

/** How long the keys are kept: a new key is published for longer before it signs. */
const KEPT_MS = 60_000;

/** The handlers of what receivers of the tokens for custom operations read, on a gateway with this public URL. */
export function tokenIssuerHandlers(dependencies: Dependencies, publicUrl: string) {
  const keys = keptKeys(dependencies);
  const answer = async (request: Request, response: ApiResponse, found: HttpAnswer): Promise<void> => {
    response.set('Cache-Control', `public, max-age=${KEPT_MS / 1000}`);
    await send(request, response, found);
  };
  return {
    keys: async (request: Request, response: ApiResponse) => answer(request, response, await keys()),

    metadata: async (request: Request<{ workspaceId: string }>, response: ApiResponse) => {
      const { workspaceId } = request.params;
      // No answer says whether such a Workspace exists.
      if (!isIdOf('workspace', workspaceId)) throw new ActionError('route_not_found');
      const metadata = {
        issuer: tokenIssuer(publicUrl, workspaceId),
        jwks_uri: publicUrl + tokenIssuerRoutes.keys.path,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      };
      await answer(request as Request, response, jsonAnswer(JSON.stringify(metadata)));
    },
  };
}

/** Reads the key set of the service that signs; concurrent requests share a call, and a minute shares its answer. */
function keptKeys({ bus, config }: Dependencies): () => Promise<HttpAnswer> {
  const read = async (): Promise<HttpAnswer> => {
    const headers = { [busHeaders.requestId]: newRequestId() };
    const options = { timeoutMs: config.REQUEST_DEADLINE_MS, headers };
    return jsonAnswer(JSON.stringify(await callService(bus, publicKeys, {}, options)));
  };
  const kept = new LRUCache<'keys', HttpAnswer>({ max: 1, ttl: KEPT_MS, fetchMethod: read });
  return () => kept.forceFetch('keys');
}
