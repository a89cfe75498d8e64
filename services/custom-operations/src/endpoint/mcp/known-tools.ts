import type { OpenedServer } from './open-server.ts';
import type { Session } from './session.ts';

/** How long a look counts, in milliseconds: for a tool with the digest of its definition, and for a tool with another digest. */
const [ALIKE_MS, UNLIKE_MS] = [300_000, 10_000];

/** A tool as a definition names it. */
export interface NamedTool {
  readonly name: string;
  readonly digest: string;
  /** When the definition was last changed. */
  readonly definedAt: Date;
}

/** The session with a server and its tools, as a process knows them. */
export interface Known {
  readonly session: Session;
  /** By name. A name that two tools have, or a tool with another problem, has none. */
  readonly digests: ReadonlyMap<string, string>;
  readonly lookedAt: Date;
  /** When it was looked at, in milliseconds of `performance.now()`: a clock that is set back makes no look younger. */
  readonly lookedAtMs: number;
  /** Ends the session at the server. */
  readonly end: () => Promise<void>;
  /** Why the next call looks at the tools again: the server ended the session, said that its tools changed, or answered with an error. */
  staleBecause?: 'ended' | 'changed' | 'doubted';
}

/** The session and the tools that a look found. */
export function knownOf({ session, listed }: OpenedServer): Omit<Known, 'end'> {
  const callable = listed.tools.filter(({ problem }) => problem === undefined);
  const digests = new Map(callable.map(({ name, digest }) => [name, digest]));
  return { session, digests, lookedAt: new Date(), lookedAtMs: performance.now() };
}

/** Whether the last look counts for a tool: shortly for a tool with another digest, and not once its definition was changed. */
export function isFresh(
  { digests, lookedAt, lookedAtMs, staleBecause }: Omit<Known, 'end'>,
  { name, digest, definedAt }: NamedTool,
): boolean {
  if (staleBecause === 'ended' || staleBecause === 'changed') return false;
  const age = performance.now() - lookedAtMs;
  if (digests.get(name) === digest) return age < (staleBecause === undefined ? ALIKE_MS : UNLIKE_MS);
  return age < UNLIKE_MS && lookedAt > definedAt;
}
