import type { Revision } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';

/** A revision of a Record: an immutable full snapshot of its payload. */
export interface RevisionDocument {
  workspace_id: string;
  record_id: string;
  version: number;
  /** The write that made it. */
  write_id: string;
  /** JSON text, exactly as it was sent. */
  payload: string;
  /** UTF-8 bytes of the payload. */
  bytes: number;
  created_at: Date;
  created_by: string;
  /** The idempotency key of the replace or patch that made it, and the fingerprint of its input. */
  key?: string;
  fingerprint?: string;
}

/** A revision as callers see it. */
export function toRevision({ version, payload, created_at, created_by }: RevisionDocument): Revision {
  return { version, payload: new ExactJson(payload), created_at: created_at.toISOString(), created_by };
}
