import type { z } from 'zod';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { DeclaredRefusal } from '../errors/declared-refusal.ts';
import type { Deprecation } from './operation.ts';

/** The address of a route, which the gateway mounts and the API reference lists. */
export interface RouteAddress {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** A path template of OpenAPI: `/api/v1/operation-grants/{id}`. */
  readonly path: `/${string}`;
}

/** An answer of a route that is not an error. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 503;
  readonly description: string;
  /** The schema of a JSON body, or the media types of other content. */
  readonly body: z.ZodType | readonly string[];
  readonly example?: Readonly<Record<string, unknown>>;
  /** Set when it may have no outcome yet, and then says with `Retry-After` when to repeat the call. */
  readonly mayBeUnknown?: boolean;
}

/**
 * The declaration of an HTTP route: the gateway mounts it and the OpenAPI document describes it. A refusal is the error
 * envelope with one of `errors`, at the status of its code.
 */
export interface Route extends RouteAddress {
  /** Stable name of the route, unique in the OpenAPI document. */
  readonly operationId: string;
  /** Its group. */
  readonly tag: string;
  readonly title: string;
  readonly description: string;
  /** The permitted callers: anyone, a signed-in Member, or a Member or grant. */
  readonly caller: 'anyone' | 'member' | 'member_or_grant';
  readonly parameters?: { readonly [Location in 'path' | 'query' | 'header']?: z.ZodObject };
  readonly requestBody?: {
    readonly schema: z.ZodObject;
    readonly example?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly answers: readonly RouteAnswer[];
  readonly errors: readonly ErrorCode[];
  /** Set for a custom operation: the errors of its own, with the status 400. */
  readonly refusals?: readonly DeclaredRefusal[];
  /** A GET whose answer has a validator: `If-None-Match` can be answered with 304 (RFC 9110, section 15.4.5). */
  readonly isCacheable?: boolean;
  readonly deprecation?: Deprecation;
}
