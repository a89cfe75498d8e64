import { hash } from 'node:crypto';
import type { Principal } from '@action-platform/contracts/authority';
import { canonicalJsonAsync, ExactJson } from '@action-platform/json';

/**
 * The id of the execution of a key: a hash of Workspace, operation, caller and key, so that it outlives the record. Callers are those of
 * `mail.send_email`: the routine grant of a job, and for every other call the Member.
 */
export function executionId(
  { workspaceId, userId, routine }: Principal,
  operation: string,
  key: string,
): string {
  const caller = routine === undefined ? [userId] : [userId, routine.id];
  return `cex_${hash('sha256', JSON.stringify([workspaceId, operation, caller, key]), 'hex').slice(0, 32)}`;
}

/** SHA-256 of an input by its value: the order of names and white space do not count. */
export async function fingerprintOf(body: string): Promise<string> {
  return hash('sha256', await canonicalJsonAsync(new ExactJson(body)), 'base64url');
}
