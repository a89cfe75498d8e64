import { operationDocsUrl, publishedSchema, type Route } from '@action-platform/contracts';
import { responsesOf } from './responses.ts';
import type { DocumentSchemas } from './schemas.ts';
import { securityOf } from './security.ts';

/** The Operation Object of a route. */
export function operationObject(route: Route, schemas: DocumentSchemas): object {
  const { operationId, tag, title, description, requestBody, deprecation } = route;
  return {
    operationId,
    tags: [tag],
    summary: title,
    description: [description, ...(deprecation === undefined ? [] : [farewell(deprecation)])].join('\n\n'),
    ...(deprecation === undefined ? {} : { deprecated: true, 'x-sunset': deprecation.sunsetAt }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            // An empty body stands for an empty object.
            required: !requestBody.schema.safeParse({}).success,
            content: {
              'application/json': {
                schema: schemas.reference(requestBody.schema),
                example: requestBody.example,
              },
            },
          },
        }),
    responses: responsesOf(route, schemas),
  };
}

function farewell({ deprecatedAt, sunsetAt, migration }: NonNullable<Route['deprecation']>): string {
  const successor = migration?.operationId;
  return [
    `Deprecated since ${deprecatedAt}; it ends at ${sunsetAt}.`,
    ...(successor === undefined ? [] : [`Use [\`${successor}\`](${operationDocsUrl(successor)}) instead.`]),
    ...(migration?.note === undefined ? [] : [migration.note]),
  ].join(' ');
}

function parametersOf({ parameters = {} }: Route): object[] {
  return Object.entries(parameters).flatMap(([place, fields]) => {
    const { properties = {}, required = [] } = publishedSchema(fields, 'input') as {
      properties?: Readonly<Record<string, { description?: string }>>;
      required?: readonly string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    }));
  });
}
