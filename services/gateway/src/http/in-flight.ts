import { ActionError } from '@action-platform/contracts';
import type { NextFunction, Request, Response } from 'express';

/** Keeps a gateway from taking on more than it can do: what is over the limit is answered at once. */
export function limitInFlight({ GATEWAY_MAX_IN_FLIGHT }: { GATEWAY_MAX_IN_FLIGHT: number }) {
  let inFlight = 0;
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (inFlight >= GATEWAY_MAX_IN_FLIGHT) {
      next(new ActionError('action_platform_unavailable'));
      return;
    }
    inFlight++;
    response.once('close', () => inFlight--);
    next();
  };
}
