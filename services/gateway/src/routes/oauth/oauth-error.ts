import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import type { Request } from 'express';
import { errorAnswer, type HttpAnswer, jsonAnswer } from '../../http/answers/http-answer.ts';
import { send } from '../../http/answers/send.ts';
import type { ApiResponse } from '../../http/api-response.ts';

/** The codes of RFC 6749, sections 4.1.2.1 and 5.2, of RFC 7591, section 3.2.2, and of RFC 8707, section 2. */
type OAuthCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/** A refusal in the form of OAuth, with status 400. */
export class OAuthError extends Error {
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** The handler of an endpoint for programs, with answers in JSON and refusals in the form of OAuth. */
export function endpoint(
  answer: (request: Request, response: ApiResponse) => Promise<object>,
  success = 200,
) {
  return async (request: Request, response: ApiResponse): Promise<void> => {
    const { exchange } = response.locals;
    const { context } = exchange;
    let answered: HttpAnswer;
    try {
      answered = { ...jsonAnswer(JSON.stringify(await answer(request, response))), status: success };
    } catch (error) {
      if (error instanceof OAuthError) {
        const { code, message } = error;
        context.error ??= invalidRequest(message);
        answered = {
          ...jsonAnswer(JSON.stringify({ error: code, error_description: message })),
          status: 400,
        };
      } else if (error instanceof ActionError) {
        context.error = error;
        answered = errorAnswer(error, exchange.requestId, 'oauth');
      } else throw error;
    }
    await send(request, response, answered);
  };
}
