export type { Route, RouteAddress, RouteAnswer } from '../declaration/route.ts';
export * from './console.ts';
export * from './docs.ts';
export * from './health.ts';
export * from './http-routes.ts';
export { mcpMetadataRoutes, mcpRoutes } from './mcp.ts';
export * from './oauth.ts';
export * from './operations.ts';
export { tokenIssuer, tokenIssuerRoutes } from './token-issuer.ts';
