import type { TokenBucket } from '@action-platform/token-bucket';
import { tooManyStrangers } from '../../authentication/authenticator.ts';
import type { RouteHandler } from '../../http/mount-routes.ts';

/** A page to send takes as long as this many signatures to verify. */
const COST = 2;
/** What is larger takes longer. */
const LARGER: Readonly<Record<string, number>> = { openapi: 40, asset: 40 };

/** Handlers of files that anybody may read, for no more requests than the bucket is good for. */
export function rateLimited<Name extends string>(
  handlers: Readonly<Record<Name, RouteHandler>>,
  bucket: TokenBucket,
): Record<Name, RouteHandler> {
  const within =
    (handler: RouteHandler, cost: number): RouteHandler =>
    (request, response) => {
      if (!bucket.take(cost)) throw tooManyStrangers();
      return handler(request, response);
    };
  const entries = Object.entries<RouteHandler>(handlers);
  return Object.fromEntries(
    entries.map(([name, handler]) => [name, within(handler, LARGER[name] ?? COST)]),
  ) as Record<Name, RouteHandler>;
}
