import { z } from 'zod';
import type { Route, RouteAddress } from '../declaration/route.ts';
import { field } from '../schema/fields.ts';

const anything = z.looseObject({});

/** An OpenAPI document; closed, so that a client tells it from the other answers of discovery. */
export const openApiBody = z.strictObject({
  openapi: z.string(),
  info: anything,
  servers: z.array(anything),
  tags: z.array(anything),
  paths: anything,
  components: anything,
});

/** The root, which redirects people to the API reference, and is not part of the interface. */
export const arrivalRoutes = { home: { method: 'get', path: '/' } } as const satisfies Record<
  string,
  RouteAddress
>;

type Stated = Pick<Route, 'path' | 'operationId' | 'title' | 'description'> & {
  readonly parameter?: z.ZodObject;
  readonly answer: Omit<Route['answers'][number], 'status'>;
};

/** A route of documentation; a route with a parameter in its path may name nothing. */
function documentation({ parameter, answer, ...stated }: Stated) {
  return {
    tag: 'documentation',
    caller: 'anyone',
    isCacheable: true,
    method: 'get',
    ...stated,
    ...(parameter !== undefined && { parameters: { path: parameter } }),
    answers: [{ status: 200, ...answer }],
    errors: ['invalid_request', ...(parameter === undefined ? [] : (['route_not_found'] as const))],
  } as const satisfies Route;
}

const pageTypes = ['text/html', 'text/markdown'];
const markdown = ['text/markdown'];

/** The routes of the API reference, the OpenAPI document, the error catalogue and the guides. */
export const docsRoutes = {
  openapi: documentation({
    path: '/api/v1/openapi.json',
    operationId: 'getOpenApiDocument',
    title: 'This document',
    description: 'OpenAPI 3.1, made from the schemas that requests are validated with.',
    answer: {
      description: 'The OpenAPI document.',
      body: openApiBody,
      example: {
        openapi: '3.1.1',
        info: { title: 'Action Platform', version: '1.0.0' },
        servers: [{ url: '/' }],
        tags: [],
        paths: {},
        components: {},
      },
    },
  }),
  reference: documentation({
    path: '/docs',
    operationId: 'getApiReference',
    title: 'The API reference, for people',
    description: 'A page on which the interface can be browsed and calls can be tried with a token.',
    answer: { description: 'The page.', body: ['text/html'] },
  }),
  errorIndex: documentation({
    path: '/docs/errors',
    operationId: 'getErrorCatalogue',
    title: 'The error catalogue',
    description: 'Every error code by status, as a page or, when text/markdown is accepted, as Markdown.',
    answer: { description: 'The catalogue.', body: pageTypes },
  }),
  errorIndexMarkdown: documentation({
    path: '/docs/errors.md',
    operationId: 'getErrorCatalogueMarkdown',
    title: 'The error catalogue as Markdown',
    description: 'Every error code by status.',
    answer: { description: 'The catalogue.', body: markdown },
  }),
  errorPage: documentation({
    path: '/docs/errors/{code}',
    operationId: 'getErrorPage',
    title: 'The page of an error code',
    description:
      'The failure, its cause and the next step: as a page, or as Markdown when text/markdown is accepted.',
    parameter: z.strictObject({
      code: field(
        z.string(),
        'A code of the catalogue; with .md after it, the answer is Markdown in any case.',
        'invalid_request',
      ),
    }),
    answer: { description: 'The page of the code.', body: pageTypes },
  }),
  guideIndex: documentation({
    path: '/docs/guides',
    operationId: 'getGuides',
    title: 'The guides',
    description:
      'Pages for users and operators, by task, as a page or, when text/markdown is accepted, as Markdown.',
    answer: { description: 'The list of guides.', body: pageTypes },
  }),
  guideIndexMarkdown: documentation({
    path: '/docs/guides.md',
    operationId: 'getGuidesMarkdown',
    title: 'The guides as Markdown',
    description: 'Pages for users and operators, by task.',
    answer: { description: 'The list of guides.', body: markdown },
  }),
  guide: documentation({
    path: '/docs/guides/{name}',
    operationId: 'getGuide',
    title: 'A guide',
    description: 'A page for users or operators, or Markdown when text/markdown is accepted.',
    parameter: z.strictObject({
      name: field(
        z.string(),
        'A name of the list; with .md after it, the answer is Markdown in any case.',
        'mcp',
      ),
    }),
    answer: { description: 'The guide.', body: pageTypes },
  }),
  llms: documentation({
    path: '/llms.txt',
    operationId: 'getGuidesForModels',
    title: 'The guides for language models',
    description:
      'Links to the guides as Markdown, by task, with a line about each (https://llmstxt.org). It has the text of the list of guides.',
    answer: { description: 'The list of guides, as Markdown.', body: ['text/plain'] },
  }),
  asset: documentation({
    path: '/docs/assets/{name}',
    operationId: 'getDocsAsset',
    title: 'Style sheets and scripts of the pages',
    description: 'Files of the pages under /docs, without a stable interface.',
    parameter: z.strictObject({ name: z.string().meta({ examples: ['docs.css'] }) }),
    answer: { description: 'The file.', body: ['text/css', 'text/javascript', 'image/svg+xml'] },
  }),
};
