import { ActionError } from '@action-platform/contracts/errors';
import type { RouteAddress } from '@action-platform/contracts/routes';
import type { Express, RequestHandler } from 'express';

/** A handler of a route, which reads the parameters of the path itself. */
export type RouteHandler = (request: never, response: never) => void | Promise<void>;

/** Mounts declared routes with the handlers of their names. Other methods of their paths get 405 with `Allow` (RFC 9110, section 15.5.6). */
export function mountRoutes<Name extends string>(
  app: Express,
  routes: Readonly<Record<Name, RouteAddress>>,
  handlers: Readonly<Record<Name, RouteHandler>>,
): void {
  const byPath = Map.groupBy(Object.keys(routes) as Name[], (name) => routes[name].path);
  for (const [path, names] of byPath) {
    const here = app.route(expressPath(path));
    for (const name of names) here[routes[name].method](handlers[name] as unknown as RequestHandler);
    const allow = names.flatMap((name) => allowed(routes[name].method)).join(', ');
    here.all(({ method }, response, next) => {
      response.setHeader('Allow', allow);
      const message = `This address takes ${allow}, not ${method}.`;
      next(new ActionError('method_not_allowed', { message }));
    });
  }
}

/** A path template as Express writes it: `/docs/errors/{code}` → `/docs/errors/:code`. */
export function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The reverse of {@link expressPath}; empty without a route. */
export function templateOf(path = ''): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** Express answers HEAD wherever it answers GET. */
function allowed(method: RouteAddress['method']): string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
}
