import type { Request, Response } from 'express';
import { answerWithFile, staticFile } from '../../http/static-file.ts';
import type { GatewayTools } from '../../tools.ts';
import { openApiDocument } from './document.ts';

/**
 * GET /api/v1/openapi.json: made once, at start. It changes with deployments only, so caches keep it and ask
 * whether it still holds.
 */
export function openApi({ operations }: Pick<GatewayTools, 'operations'>) {
  const document = staticFile('application/json; charset=utf-8', JSON.stringify(openApiDocument(operations)));
  return (request: Request, response: Response): void => {
    response.set('Cache-Control', 'public, no-cache');
    answerWithFile(request, response, document);
  };
}
