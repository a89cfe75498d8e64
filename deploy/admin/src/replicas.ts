import { isSilent } from '@action-platform/bus';
import { type ReplicaStatus, replicaEvent } from '@action-platform/contracts/bus';
import { type ProcessName, processes } from '@action-platform/contracts/services';

/** The answers that a survey waits for, and for how long: longer than the timeout of a replica's own checks. */
export const expected = { isComplete, timeoutMs: 4_000 };

type Sighting = ReplicaStatus['heard_of'][number];

/** An answer to a survey: of which replica, and which others it heard of. */
interface ReplicaAnswer {
  readonly service: ProcessName;
  readonly replica: string;
  readonly heard_of: readonly Sighting[];
}

/** Whether a replica of every process has answered, and every replica that others have heard of recently. */
function isComplete(answers: readonly ReplicaAnswer[]): boolean {
  return (
    processes.every((name) => answers.some(({ service }) => service === name)) &&
    unheard(answers).every(isSilent)
  );
}

/** The replicas that have not answered, from what others have heard of them. */
export function unheard(answers: readonly ReplicaAnswer[]): Sighting[] {
  const answered = new Set(answers.map(({ replica }) => replica));
  const lastHeard = new Map<string, Sighting>();
  for (const sighting of answers.flatMap(heardBy)) {
    const known = lastHeard.get(sighting.replica);
    if (known === undefined || sighting.silent_ms < known.silent_ms)
      lastHeard.set(sighting.replica, sighting);
  }
  return [...lastHeard.values()].filter(({ replica }) => !answered.has(replica));
}

/** The sightings of an answer that count: of replicas whose announcements its service receives. */
function heardBy({ service: teller, heard_of }: ReplicaAnswer): readonly Sighting[] {
  return heard_of.filter(({ service }) => replicaEvent(service).subscribers.includes(teller));
}
