import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whom a connection belongs to before its caller is known. */
const STRANGERS = '';

/** How long a caller who is not known has at least to say who it is, in milliseconds: a round trip around the world, twice. */
const INTRODUCTION_MS = 500;

/** Tells whose connection it is that a request came on. */
const BELONGS = Symbol('belongs');

/** The connections of one owner, each kind in the order in which something last happened on them. */
interface Group {
  /** Those on which nothing is under way. */
  readonly idle: Set<Socket>;
  readonly busy: Set<Socket>;
}

/** An open connection. */
interface Connection {
  readonly owner: string;
  /** When, in milliseconds of `performance.now()`. */
  readonly openedAt: number;
}

/** Says whose connection it is that a request came on. */
export function belongsTo({ socket }: IncomingMessage, owner: string): void {
  socket.emit(BELONGS, owner);
}

/**
 * Open connections by whom they belong to, so that one can be let go when there are too many. It is one of the owner
 * who has most (the rule for full buffers of Suter et al., "Design Considerations for Supporting TCP with Per-Flow
 * Queueing", INFOCOM 1998). So whoever opens very many closes their own.
 */
export class Crowd {
  readonly #connections = new Map<Socket, Connection>();
  readonly #groups = new Map<string, Group>();

  get size(): number {
    return this.#connections.size;
  }

  /** How many belong to callers who are not known. */
  get strangers(): number {
    return sizeOf(this.#groups.get(STRANGERS));
  }

  /** Whether the next of them who is to be closed had time to say who it is. */
  get isStrangerLate(): boolean {
    const socket = nextOf(this.#groups.get(STRANGERS));
    if (socket === undefined) return false;
    return performance.now() - this.#connections.get(socket)!.openedAt >= INTRODUCTION_MS;
  }

  /** A connection was opened. */
  add(socket: Socket): void {
    this.#connections.set(socket, { owner: STRANGERS, openedAt: performance.now() });
    this.#groupOf(STRANGERS).idle.add(socket);
    socket.on(BELONGS, (owner: string) => this.#belongsTo(socket, owner));
    socket.once('close', () => this.#remove(socket));
  }

  /** A request is under way on a connection. */
  work(socket: Socket): void {
    this.#move(socket, 'idle', 'busy');
  }

  /** Nothing is under way on a connection any more. */
  rest(socket: Socket): void {
    this.#move(socket, 'busy', 'idle');
  }

  /** Closes a connection of the owner who has most. */
  closeOne(): void {
    let largest: Group | undefined;
    for (const group of this.#groups.values()) {
      if (sizeOf(group) > sizeOf(largest)) largest = group;
    }
    this.#closeOneOf(largest);
  }

  /** Closes a connection of a caller who is not known. */
  closeStranger(): void {
    this.#closeOneOf(this.#groups.get(STRANGERS));
  }

  #closeOneOf(group: Group | undefined): void {
    const socket = nextOf(group);
    if (socket === undefined) return;
    // It says that it is closed only later; till then others may have to go too.
    this.#remove(socket);
    socket.destroy();
  }

  #belongsTo(socket: Socket, owner: string): void {
    const before = this.#connections.get(socket);
    if (before === undefined || before.owner === owner) return;
    const isBusy = this.#groupOf(before.owner).busy.has(socket);
    this.#remove(socket);
    this.#connections.set(socket, { ...before, owner });
    this.#groupOf(owner)[isBusy ? 'busy' : 'idle'].add(socket);
  }

  #remove(socket: Socket): void {
    const owner = this.#connections.get(socket)?.owner;
    if (owner === undefined) return;
    this.#connections.delete(socket);
    const group = this.#groupOf(owner);
    group.idle.delete(socket);
    group.busy.delete(socket);
    if (sizeOf(group) === 0) this.#groups.delete(owner);
  }

  #move(socket: Socket, from: keyof Group, to: keyof Group): void {
    const owner = this.#connections.get(socket)?.owner;
    if (owner === undefined) return;
    const group = this.#groupOf(owner);
    group[from].delete(socket);
    group[to].add(socket);
  }

  #groupOf(owner: string): Group {
    let group = this.#groups.get(owner);
    if (group === undefined) {
      group = { idle: new Set(), busy: new Set() };
      this.#groups.set(owner, group);
    }
    return group;
  }
}

/** Who is to be closed first: the one that is idle for longest, or else the one on which something was begun longest ago. */
function nextOf(group: Group | undefined): Socket | undefined {
  return group?.idle.values().next().value ?? group?.busy.values().next().value;
}

function sizeOf(group: Group | undefined): number {
  return group === undefined ? 0 : group.idle.size + group.busy.size;
}
