import type { TokenBucket } from '@action-platform/admission';
import { tooManyUnauthenticated } from '../../authentication/authenticator.ts';
import type { RouteHandler } from '../../http/mount-routes.ts';

/** The cost of a page, in signature verifications that take as long. */
const COST = 2;
/** Larger files take longer. */
const LARGER: Readonly<Record<string, number>> = { openapi: 40, asset: 40 };

/** Limits handlers of public files to the rate of a bucket. */
export function rateLimited<Name extends string>(
  handlers: Readonly<Record<Name, RouteHandler>>,
  bucket: TokenBucket,
): Record<Name, RouteHandler> {
  const within =
    (handler: RouteHandler, cost: number): RouteHandler =>
    (request, response) => {
      if (!bucket.take(cost)) throw tooManyUnauthenticated();
      return handler(request, response);
    };
  const entries = Object.entries<RouteHandler>(handlers);
  return Object.fromEntries(
    entries.map(([name, handler]) => [name, within(handler, LARGER[name] ?? COST)]),
  ) as Record<Name, RouteHandler>;
}
