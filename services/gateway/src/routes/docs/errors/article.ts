import { STATUS_CODES } from 'node:http';
import {
  ActionError,
  customCall,
  type ErrorCode,
  errorCatalogue,
  executionPath,
  httpRoutes,
  type Operation,
} from '@action-platform/contracts';

/** The catalogue's text about one code, for HTML and Markdown. */
export interface ErrorArticle {
  readonly code: ErrorCode;
  /** Such as `400 Bad Request`. */
  readonly status: string;
  readonly recoverable: boolean;
  /** The event, its reason and the next step: a heading and a sentence each. */
  readonly sections: readonly { readonly heading: string; readonly text: string }[];
  /** Ids of the operations that can answer with it, or `every` of them. */
  readonly operations: readonly string[] | 'every';
  /** The other routes that can, such as `GET /api/v1/operations`. */
  readonly otherRoutes: readonly string[];
  /** The body of a response. */
  readonly example: string;
}

/** The whole catalogue, by status. */
export function errorArticles(operations: ReadonlyMap<string, Operation>): readonly ErrorArticle[] {
  const routes = httpRoutes(operations);
  const articles = Object.entries(errorCatalogue).map(([name, entry]): ErrorArticle => {
    const code = name as ErrorCode;
    const answering = routes.filter(({ errors }) => errors.includes(code));
    const ids = answering.map(({ operationId }) => operationId).filter((id) => operations.has(id));
    return {
      code,
      status: statusLine(entry.status),
      recoverable: entry.recoverable,
      sections: [
        { heading: 'What happened', text: entry.message },
        { heading: 'Why', text: entry.why },
        { heading: 'What to do next', text: entry.next },
      ],
      operations: ids.length === operations.size ? 'every' : ids,
      otherRoutes: [
        ...answering
          .filter(({ operationId }) => !operations.has(operationId))
          .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
        ...(customCall.errors.includes(code) ? [`POST ${executionPath('custom.{name}')}`] : []),
      ],
      example: JSON.stringify(
        new ActionError(code).toEnvelope('req_4bf92f3577b34da6a3ce929d0e0e4736'),
        null,
        2,
      ),
    };
  });
  return articles.sort((a, b) => Number.parseInt(a.status, 10) - Number.parseInt(b.status, 10));
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status]}`;
}

/** Whether the caller can correct it, as a sentence. */
export function verdict({ recoverable }: ErrorArticle): string {
  return recoverable
    ? 'Recoverable: the same caller can correct it.'
    : 'Not recoverable: the same caller alone cannot correct it.';
}
