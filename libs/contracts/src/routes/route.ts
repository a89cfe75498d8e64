import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Deprecation } from '../operations/operation.ts';

/** Where a route is: what the gateway mounts and the API reference lists. */
export interface RouteAddress {
  readonly method: 'get' | 'post' | 'delete';
  /** A path template as OpenAPI writes it: `/api/v1/operation-grants/{id}`. */
  readonly path: `/${string}`;
}

/** What a route answers when it does not refuse. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 503;
  readonly description: string;
  /** The schema of a JSON body, or the media types that other content can have. */
  readonly body: z.ZodType | readonly string[];
  /** A JSON body as it can look. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/**
 * Everything there is to know about an HTTP route, declared once: the gateway mounts it and the OpenAPI
 * document describes it. Refusals are the error envelope with one of `errors`, at the status of its code.
 */
export interface Route extends RouteAddress {
  /** Stable name of the route, unique in the OpenAPI document. */
  readonly operationId: string;
  /** The group it is listed in. */
  readonly tag: string;
  readonly title: string;
  readonly description: string;
  /** Who may call: anyone at all, a signed-in Member, or a Member or grant. */
  readonly caller: 'anyone' | 'member' | 'member_or_grant';
  readonly parameters?: { readonly [Place in 'path' | 'query' | 'header']?: z.ZodObject };
  /** The JSON object that the request carries. */
  readonly requestBody?: {
    readonly schema: z.ZodObject;
    readonly example: Readonly<Record<string, unknown>>;
  };
  readonly answers: readonly RouteAnswer[];
  readonly errors: readonly ErrorCode[];
  /** A GET whose answer has a validator: `If-None-Match` can be answered with 304 (RFC 9110, section 15.4.5). */
  readonly isCacheable?: boolean;
  /** The route is an operation that is deprecated. */
  readonly deprecation?: Deprecation;
}
