import { BUSIEST_MAX, type BusyReplica, workspacesSurvey } from '@action-platform/contracts/bus';
import type { Platform } from './platform.ts';
import { rounded } from './printed.ts';
import { expected } from './replicas.ts';

/** A Workspace over all replicas: its figures a second, and its processor time. */
interface Busy {
  readonly workspace: string;
  calls: number;
  refused: number;
  bytes: number;
  processorMs: number;
}

/**
 * The busiest and the most refused Workspaces of the last minutes. Gateways count calls, refusals and bytes. A Workspace has, of the
 * processor time of each process, its share of the calls there.
 */
export async function busyWorkspaces(platform: Platform): Promise<object[]> {
  const answers = await platform.survey(workspacesSurvey, expected);
  const found = new Map<string, Busy>();
  for (const answer of answers) add(answer, found);
  const totalMs = answers.reduce((sum, { processor_ms }) => sum + processor_ms, 0);
  const all = [...found.values()];
  const busiest = all.toSorted((one, other) => other.processorMs - one.processorMs);
  const refused = all
    .filter((each) => each.refused > 0)
    .toSorted((one, other) => other.refused - one.refused);
  const half = BUSIEST_MAX / 2;
  const shown = new Set([...busiest.slice(0, half), ...refused.slice(0, half), ...busiest]);
  return [...shown]
    .slice(0, BUSIEST_MAX)
    .toSorted((one, other) => other.processorMs - one.processorMs)
    .map(({ workspace, calls, refused, bytes, processorMs }) => ({
      workspace,
      calls_per_second: rounded(calls),
      refused_per_second: rounded(refused),
      bytes_per_second: rounded(bytes),
      processor_share: rounded(totalMs === 0 ? 0 : processorMs / totalMs),
    }));
}

function add(
  { service, processor_ms, calls, seconds, workspaces }: BusyReplica,
  found: Map<string, Busy>,
): void {
  for (const { workspace_id: workspace, ...counted } of workspaces) {
    const busy = found.get(workspace) ?? { workspace, calls: 0, refused: 0, bytes: 0, processorMs: 0 };
    found.set(workspace, busy);
    busy.processorMs += (processor_ms * counted.calls) / Math.max(1, calls);
    if (service !== 'gateway') continue;
    busy.calls += counted.calls / seconds;
    busy.refused += counted.refused / seconds;
    busy.bytes += counted.bytes / seconds;
  }
}
