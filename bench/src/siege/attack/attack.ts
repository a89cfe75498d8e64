/** A command to the attacker: hold sockets of every kind, or release them. */
export type AttackJob = { readonly begin: Attack } | { readonly end: true };

/** Sockets of each kind, held for as long as the gateway permits; the attacker reopens the ones that it closes. */
export interface Attack {
  readonly host: string;
  readonly port: number;
  readonly socketsOfEachKind: number;
  /** The most new connections per second, all kinds together. */
  readonly connectsPerSecond: number;
  /** The values of Authorization headers, in turn. */
  readonly credentials: readonly string[];
  /** A request with a large answer, which the attacker leaves unread. */
  readonly large: LargeRequest;
}

/** A request with a large answer. */
export interface LargeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** The outcome of the sockets of one kind. */
export interface HeldSockets {
  /** The most that were open at once, and their mean since all had been opened once. */
  readonly most: number;
  readonly mean: number;
  readonly opened: number;
  /** Failed connection attempts. */
  readonly refused: number;
}

/** The result of an attack. */
export interface AttackResult {
  readonly kinds: Readonly<Record<string, HeldSockets>>;
  /** CPU seconds per second that the attacker itself used since all sockets had been opened once. */
  readonly cpu: number;
}
