import { hash } from 'node:crypto';
import { jobOf, type Principal } from '@action-platform/contracts/authority';

/**
 * The id of the execution of a key: a hash of Workspace, operation, caller and key, so that it outlives the record. Callers are those of
 * `mail.send_email`: the routine grant of a job, and for every other call the Member.
 */
export function executionId(principal: Principal, operation: string, key: string): string {
  const { workspaceId, userId } = principal;
  const job = jobOf(principal);
  const caller = job === undefined ? [userId] : [userId, job.id];
  return `cex_${hash('sha256', JSON.stringify([workspaceId, operation, caller, key]), 'hex').slice(0, 32)}`;
}
