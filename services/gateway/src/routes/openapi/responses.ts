import { STATUS_CODES } from 'node:http';
import { docsUrl, type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { type Route, type RouteAnswer, sharedSchemas } from '@action-platform/contracts/routes';
import type { JsonSchema } from '@action-platform/contracts/schema';
import { responseHeaders } from './response-headers.ts';
import { type DocumentSchemas, isSchema } from './schemas.ts';

interface ResponseObject {
  readonly description: string;
  readonly headers: object;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: object;
}

/** The Responses Object of a route: its answers, then its errors by status. */
export function responsesOf(
  route: Route,
  schemas: DocumentSchemas,
): Readonly<Record<string, ResponseObject>> {
  const answers = route.answers.map((answer) => [
    answer.status,
    {
      description: answer.description,
      headers: responseHeaders({
        route,
        status: answer.status,
        codes: [],
        mayBeUnknown: answer.mayBeUnknown,
      }),
      content: contentOf(answer, schemas),
    },
  ]);
  const unchanged = {
    description: 'The content named by If-None-Match is current.',
    headers: responseHeaders({ route, status: 304, codes: [] }),
  };
  const refusals = Map.groupBy(route.errors, (code) => errorCatalogue[code].status)
    .entries()
    .map(([status, codes]) => [status, refusal(route, status, codes, schemas)] as const);
  return Object.fromEntries([...answers, ...(route.isCacheable ? [[304, unchanged]] : []), ...refusals]);
}

function contentOf({ body, example }: RouteAnswer, schemas: DocumentSchemas): Record<string, MediaType> {
  if (isSchema(body)) return { 'application/json': { schema: schemas.reference(body), example } };
  return Object.fromEntries(body.map((mediaType) => [mediaType, { schema: { type: 'string' } }]));
}

function refusal(
  route: Route,
  status: number,
  codes: readonly ErrorCode[],
  schemas: DocumentSchemas,
): ResponseObject {
  const links = codes.map((code) => `[\`${code}\`](${docsUrl(code)})`);
  const declared = status === errorCatalogue.custom_operation_refused.status ? (route.refusals ?? []) : [];
  return {
    description: `${STATUS_CODES[status]}: ${links.join(', ')}.`,
    headers: responseHeaders({ route, status, codes }),
    content: {
      'application/json': {
        schema: envelopeOf([...codes, ...declared.map(({ code }) => code)], schemas),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** The error envelope with one of these codes, so that generated clients know which to expect. */
function envelopeOf(codes: readonly string[], schemas: DocumentSchemas): JsonSchema {
  const objectWith = (name: string, schema: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
  });
  const oneOfThem = objectWith('code', { type: 'string', enum: codes });
  return objectWith('error', { allOf: [schemas.reference(sharedSchemas.Error), oneOfThem] });
}
