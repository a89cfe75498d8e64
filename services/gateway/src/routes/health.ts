import { callService } from '@action-platform/bus';
import { ActionError, healthCall, services } from '@action-platform/contracts';
import type { Request } from 'express';
import { answerWithJson } from '../http/answer.ts';
import { type ApiResponse, timeLeft } from '../http/exchange.ts';
import type { GatewayTools } from '../tools.ts';

/** How long a dependency may take to answer before it counts as not ready, in milliseconds. */
const PATIENCE_MS = 2_000;

const ALIVE = JSON.stringify({ status: 'ok' });

/** GET /livez: this process runs. */
export function livez() {
  return (_request: Request, response: ApiResponse): void => {
    answerWithJson(response, 200, ALIVE);
  };
}

/** GET /readyz: 200 when every service answers with its database, else 503 naming those that do not. */
export function readyz({ bus }: GatewayTools) {
  return async (_request: Request, response: ApiResponse): Promise<void> => {
    const options = { timeoutMs: Math.min(PATIENCE_MS, timeLeft(response)) };
    const answers = await Promise.allSettled(
      services.map((service) => callService(bus, healthCall(service), {}, options)),
    );
    const missing = services.filter((_service, index) => answers[index]!.status === 'rejected');
    if (missing.length > 0) {
      throw new ActionError('action_platform_unavailable', { message: `Not ready: ${missing.join(', ')}.` });
    }
    answerWithJson(response, 200, ALIVE);
  };
}
