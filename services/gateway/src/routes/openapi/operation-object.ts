import { operationDocsUrl, type Route } from '@action-platform/contracts/routes';
import { describeDefault, publishedSchema } from '@action-platform/contracts/schema';
import { codeSamples } from './code-samples.ts';
import { responsesOf } from './responses.ts';
import type { DocumentSchemas } from './schemas.ts';

/** How callers authenticate (RFC 6750, section 2.1), for `components.securitySchemes`. */
export const securitySchemes = {
  memberSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The session token of a Member, from the sign-in provider of the deployment.',
  },
  grantSecret: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'apo_…, apr_… or apt_…',
    description:
      'The secret of an operation grant or a routine grant, for unattended jobs, or the access token of a program that signed in.',
  },
} as const;

const accepted: Readonly<Record<Route['caller'], readonly (keyof typeof securitySchemes)[]>> = {
  anyone: [],
  member: ['memberSession'],
  member_or_grant: ['memberSession', 'grantSecret'],
};

/** The Operation Object of a route. */
export function operationObject(route: Route, schemas: DocumentSchemas) {
  const { operationId, tag, title, description, requestBody, deprecation } = route;
  return {
    operationId,
    tags: [tag],
    summary: title,
    description: [description, ...(deprecation === undefined ? [] : [deprecationNotice(deprecation)])].join(
      '\n\n',
    ),
    ...(deprecation === undefined ? {} : { deprecated: true, 'x-sunset': deprecation.sunsetAt }),
    // Any one scheme suffices; public routes have none.
    security: accepted[route.caller].map((scheme) => ({ [scheme]: [] })),
    parameters: parametersOf(route),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            // An empty body stands for an empty object.
            required: !requestBody.schema.safeParse({}, { jitless: true }).success,
            content: {
              'application/json': {
                schema: schemas.reference(requestBody.schema),
                example: requestBody.example,
              },
            },
          },
        }),
    responses: responsesOf(route, schemas),
    'x-codeSamples': codeSamples(route),
  };
}

/** The date of an operation's deprecation, its sunset and its successor. */
function deprecationNotice({ deprecatedAt, sunsetAt, migration }: NonNullable<Route['deprecation']>): string {
  const successor = migration?.operationId;
  return [
    `Deprecated since ${deprecatedAt}; it ends at ${sunsetAt}.`,
    ...(successor === undefined ? [] : [`Use [\`${successor}\`](${operationDocsUrl(successor)}) instead.`]),
    ...(migration?.note === undefined ? [] : [migration.note]),
  ].join(' ');
}

function parametersOf({ parameters = {} }: Route) {
  return Object.entries(parameters).flatMap(([place, fields]) => {
    const { properties = {}, required = [] } = publishedSchema(fields, 'input');
    return Object.entries(properties).map(([name, field]) => {
      describeDefault(field);
      const { description, ...schema } = field;
      return {
        name,
        in: place,
        ...(required.includes(name) ? { required: true } : {}),
        ...(description === undefined ? {} : { description }),
        schema,
      };
    });
  });
}
