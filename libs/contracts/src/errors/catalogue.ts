import { namingBoth, namingTools } from '../ids/tool-name.ts';
import { approvalErrors } from './approvals.ts';
import { authorityErrors } from './authority.ts';
import { customOperationErrors } from './custom-operations.ts';
import type { ErrorEntry, RouteKind } from './entry.ts';
import { eventErrors } from './events.ts';
import { knowledgeErrors } from './knowledge.ts';
import { mailErrors } from './mail.ts';
import { memberErrors } from './members.ts';
import { platformErrors } from './platform.ts';
import { procedureErrors } from './procedures.ts';
import { recordStoreErrors } from './record-store.ts';
import { requestErrors } from './request.ts';

const entries = {
  ...requestErrors,
  ...authorityErrors,
  ...memberErrors,
  ...approvalErrors,
  ...recordStoreErrors,
  ...knowledgeErrors,
  ...procedureErrors,
  ...mailErrors,
  ...eventErrors,
  ...customOperationErrors,
  ...platformErrors,
} as const;

export type ErrorCode = keyof typeof entries;

/**
 * The error catalogue: the only source of descriptors, OpenAPI, the pages at `docs_url` and every error response. `next` names each
 * operation with its tool too, as readers of `view=tools` know only the tool.
 */
export const errorCatalogue = Object.fromEntries(
  Object.entries(entries).map(([code, entry]) => [
    code,
    { recoverable: true, ...entry, next: namingBoth(entry.next) },
  ]),
) as Readonly<Record<ErrorCode, ErrorEntry>>;

/** Whether `code` names an entry of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/**
 * The next step of a caller after this code on a route of this kind.
 *
 * @param seconds after which the caller should try again.
 * @param page the URL of the page at which a person decides.
 */
export function nextStep(
  code: ErrorCode,
  kind: RouteKind = 'operation',
  seconds = 1,
  page = approvalPath(),
): string {
  const { next, nextAt = {} } = errorCatalogue[code];
  const isTool = kind === 'mcp' || kind === 'keyless_tool';
  const own = kind === 'operation' ? undefined : nextAt[kind];
  const step = isTool ? namingTools(own ?? nextAt.mcp ?? entries[code].next) : (own ?? next);
  return step.replace('{seconds}', String(seconds)).replace('{page}', page);
}

/** The path of the console's page of an approval, or of all. */
export function approvalPath(id?: string): string {
  return `/console/approvals${id === undefined ? '' : `/${id}`}`;
}

/** The path of the page that explains a code to people, relative to the base address. */
export function docsUrl(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}
