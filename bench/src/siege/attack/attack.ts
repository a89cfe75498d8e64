/** What an attacker is told to do: hold sockets of every kind, or let go of them. */
export type AttackJob = { readonly begin: Attack } | { readonly end: true };

/** So many sockets of each kind, held for as long as the gateway lets them; what it closes is opened again. */
export interface Attack {
  readonly host: string;
  readonly port: number;
  readonly socketsOfEachKind: number;
  /** New connections in a second at most, all kinds together. */
  readonly connectsPerSecond: number;
  /** The values of Authorization headers, in turn. */
  readonly credentials: readonly string[];
  /** A request whose answer is large, to be left unread. */
  readonly large: LargeRequest;
}

/** A request with a large answer. */
export interface LargeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** What became of the sockets of one kind. */
export interface HeldSockets {
  /** How many were open at once, at most, and on average since all had been opened once. */
  readonly most: number;
  readonly mean: number;
  readonly opened: number;
  /** Connections that could not be had. */
  readonly refused: number;
}

/** What an attacker has to tell at the end. */
export interface AttackResult {
  readonly kinds: Readonly<Record<string, HeldSockets>>;
  /** CPU seconds per second that the attacker itself used since all sockets had been opened once. */
  readonly cpu: number;
}
