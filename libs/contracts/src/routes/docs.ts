import { z } from 'zod';
import type { Route, RouteAddress } from '../declaration/route.ts';

const open = { tag: 'documentation', caller: 'anyone', isCacheable: true } as const;
const pageTypes = ['text/html', 'text/markdown'] as const;

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

/** The root, which redirects people to the API reference. It is not part of the interface. */
export const arrivalRoutes = { home: { method: 'get', path: '/' } } as const satisfies Record<
  string,
  RouteAddress
>;

/** The routes of the API reference, the OpenAPI document, the error catalogue and the guides. */
export const docsRoutes = {
  openapi: {
    ...open,
    method: 'get',
    path: '/api/v1/openapi.json',
    operationId: 'getOpenApiDocument',
    title: 'This document',
    description: 'OpenAPI 3.1, made from the schemas that requests are validated with.',
    answers: [
      {
        status: 200,
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
    ],
    errors: ['invalid_request'],
  },
  reference: {
    ...open,
    method: 'get',
    path: '/docs',
    operationId: 'getApiReference',
    title: 'The API reference, for people',
    description: 'A page on which the interface can be browsed and calls can be tried with a token.',
    answers: [{ status: 200, description: 'The page.', body: ['text/html'] }],
    errors: ['invalid_request'],
  },
  errorIndex: {
    ...open,
    method: 'get',
    path: '/docs/errors',
    operationId: 'getErrorCatalogue',
    title: 'The error catalogue',
    description: 'Every error code by status, as a page or, when text/markdown is accepted, as Markdown.',
    answers: [{ status: 200, description: 'The catalogue.', body: pageTypes }],
    errors: ['invalid_request'],
  },
  errorIndexMarkdown: {
    ...open,
    method: 'get',
    path: '/docs/errors.md',
    operationId: 'getErrorCatalogueMarkdown',
    title: 'The error catalogue as Markdown',
    description: 'Every error code by status.',
    answers: [{ status: 200, description: 'The catalogue.', body: ['text/markdown'] }],
    errors: ['invalid_request'],
  },
  errorPage: {
    ...open,
    method: 'get',
    path: '/docs/errors/{code}',
    operationId: 'getErrorPage',
    title: 'The page of an error code',
    description:
      'The failure, its cause and the next step: as a page, or as Markdown when text/markdown is accepted.',
    parameters: {
      path: z.strictObject({
        code: z.string().meta({
          description: 'A code of the catalogue; with .md after it, the answer is Markdown in any case.',
          examples: ['invalid_request'],
        }),
      }),
    },
    answers: [{ status: 200, description: 'The page of the code.', body: pageTypes }],
    errors: ['invalid_request', 'route_not_found'],
  },
  guideIndex: {
    ...open,
    method: 'get',
    path: '/docs/guides',
    operationId: 'getGuides',
    title: 'The guides',
    description:
      'Pages for users and operators, by task, as a page or, when text/markdown is accepted, as Markdown.',
    answers: [{ status: 200, description: 'The list of guides.', body: pageTypes }],
    errors: ['invalid_request'],
  },
  guideIndexMarkdown: {
    ...open,
    method: 'get',
    path: '/docs/guides.md',
    operationId: 'getGuidesMarkdown',
    title: 'The guides as Markdown',
    description: 'Pages for users and operators, by task.',
    answers: [{ status: 200, description: 'The list of guides.', body: ['text/markdown'] }],
    errors: ['invalid_request'],
  },
  guide: {
    ...open,
    method: 'get',
    path: '/docs/guides/{name}',
    operationId: 'getGuide',
    title: 'A guide',
    description: 'A page for users or operators, or Markdown when text/markdown is accepted.',
    parameters: {
      path: z.strictObject({
        name: z.string().meta({
          description: 'A name of the list; with .md after it, the answer is Markdown in any case.',
          examples: ['mcp'],
        }),
      }),
    },
    answers: [{ status: 200, description: 'The guide.', body: pageTypes }],
    errors: ['invalid_request', 'route_not_found'],
  },
  asset: {
    ...open,
    method: 'get',
    path: '/docs/assets/{name}',
    operationId: 'getDocsAsset',
    title: 'Style sheets and scripts of the pages',
    description: 'Files of the pages under /docs, without a stable interface.',
    parameters: { path: z.strictObject({ name: z.string().meta({ examples: ['docs.css'] }) }) },
    answers: [
      {
        status: 200,
        description: 'The file.',
        body: ['text/css', 'text/javascript', 'image/svg+xml'],
      },
    ],
    errors: ['invalid_request', 'route_not_found'],
  },
} as const satisfies Record<string, Route>;
