import { startWorker } from '../process/worker.ts';

/** Sockets that are held for as long as the gateway permits; the attacker reopens the ones that it closes. */
export interface Attack {
  readonly origin: string;
  readonly kinds: readonly SocketKind[];
  /** The tokens that take the place of `$token`, in turn. */
  readonly tokens: readonly string[];
}

export interface SocketKind {
  readonly name: string;
  readonly count: number;
  readonly first: string;
  /** The text to repeat every two seconds. */
  readonly again?: string;
  readonly leavesUnread?: boolean;
}

/** By kind, how many sockets were open at the end, how many the attacker opened, and how many connections failed. */
export type HeldConnections = Readonly<Record<string, { open: number; opened: number; refused: number }>>;

/** Starts an attack in a thread of its own; resolves when every socket was opened once, with a function that ends the attack. */
export async function startAttack(
  attack: Attack,
  stops: AsyncDisposableStack,
): Promise<() => Promise<HeldConnections>> {
  const attacker = startWorker<Attack | 'end', HeldConnections>(
    new URL('attacker.ts', import.meta.url),
    stops,
  );
  await attacker(attack);
  return () => attacker('end');
}

/** The head of a request of an attack, with a place for a token. */
export function head(method: 'GET' | 'POST', path: string, framing: string): string {
  const json = 'Content-Type: application/json';
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: siege', 'Authorization: Bearer $token', json, framing];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
