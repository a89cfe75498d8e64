import { type Bus, callService } from '@action-platform/bus';
import { inBackground, suspendedWorkspaces } from '@action-platform/contracts/calls';
import { batchedLookup } from '@action-platform/mongo';

/** How long an answer holds, in milliseconds. */
const HOLDS_MS = 1_000;
/** How long grants may take to answer, in milliseconds. */
const ANSWERED_MS = 2_000;
/** How many Workspaces are remembered. */
const REMEMBERED = 10_000;

interface Suspension {
  readonly suspended: boolean;
  readonly at: number;
}

/**
 * Whether Workspaces are suspended, as grants answered within the last second. While grants does not answer, its last answer holds, so that
 * an outage of it stops no delivery.
 */
export function suspensions(bus: Bus): (workspaceId: string) => Promise<boolean> {
  const answers = new Map<string, Suspension>();
  const keys = { asked: (id: string) => id, found: (id: string) => id };
  const ask = batchedLookup('webhook_suspensions', keys, async (workspaceIds: string[]) => {
    const options = { timeoutMs: ANSWERED_MS };
    return (await callService(bus, suspendedWorkspaces, { workspaceIds }, options)).suspended;
  });
  return async (workspaceId) => {
    const last = answers.get(workspaceId);
    if (last !== undefined && performance.now() - last.at < HOLDS_MS) return last.suspended;
    const suspended = await ask(workspaceId, inBackground).then(
      (found) => found !== undefined,
      () => last?.suspended ?? false,
    );
    if (answers.size >= REMEMBERED) answers.clear();
    answers.set(workspaceId, { suspended, at: performance.now() });
    return suspended;
  };
}
