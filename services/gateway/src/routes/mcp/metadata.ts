import type { McpResource } from '@action-platform/contracts/configuration';
import type { Request } from 'express';
import { jsonAnswer } from '../../http/answers/http-answer.ts';
import { send } from '../../http/answers/send.ts';
import type { ApiResponse } from '../../http/api-response.ts';

/** The handlers of the protected resource's metadata (RFC 9728, section 2), by which clients find where to sign in. */
export function metadataHandlers({ resource, servers }: McpResource) {
  const metadata = jsonAnswer(
    JSON.stringify({
      resource,
      resource_name: 'Action Platform',
      authorization_servers: servers,
      bearer_methods_supported: ['header'],
    }),
  );
  const answer = (request: Request, response: ApiResponse): Promise<void> =>
    send(request, response, metadata);
  return { ofResource: answer, ofHost: answer };
}
