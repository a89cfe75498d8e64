import { oauthRoutes } from '@action-platform/contracts/routes';
import type { Request } from 'express';
import { jsonAnswer } from '../../http/answers/http-answer.ts';
import { send } from '../../http/answers/send.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { JWT_BEARER } from './token.ts';

/** GET /.well-known/oauth-authorization-server (RFC 8414, section 2). */
export function serverMetadata(publicUrl: string) {
  const metadata = jsonAnswer(
    JSON.stringify({
      issuer: publicUrl,
      authorization_endpoint: publicUrl + oauthRoutes.authorize.path,
      token_endpoint: publicUrl + oauthRoutes.token.path,
      registration_endpoint: publicUrl + oauthRoutes.register.path,
      revocation_endpoint: publicUrl + oauthRoutes.revoke.path,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', JWT_BEARER],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    }),
  );
  return (request: Request, response: ApiResponse): Promise<void> => send(request, response, metadata);
}
