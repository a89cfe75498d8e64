import { authorityErrors } from './authority.ts';
import type { ErrorEntry, Place } from './entry.ts';
import { mailErrors } from './mail.ts';
import { platformErrors } from './platform.ts';
import { procedureErrors } from './procedures.ts';
import { recordStoreErrors } from './record-store.ts';
import { requestErrors } from './request.ts';

const entries = {
  ...requestErrors,
  ...authorityErrors,
  ...recordStoreErrors,
  ...procedureErrors,
  ...mailErrors,
  ...platformErrors,
} as const;

/** Every code the platform can answer with. */
export type ErrorCode = keyof typeof entries;

/**
 * The error catalogue: descriptors, OpenAPI, the pages at `docs_url` and every error response are made
 * from these entries and from nothing else.
 */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = entries;

/** Whether `code` names an entry of the catalogue. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/** The step that a code tells a caller to take, at the place where they met it. */
export function nextStep(code: ErrorCode, place: Place = 'operation'): string {
  const { next, nextAt } = errorCatalogue[code];
  return (place === 'operation' ? undefined : nextAt?.[place]) ?? next;
}

/** The page that explains a code to people, relative to the base address. */
export function docsUrl(code: ErrorCode): string {
  return `/docs/errors/${code}`;
}
