import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whom a connection belongs to before its caller is known. */
const STRANGERS = '';

/** Tells whose connection it is that a request came on. */
const BELONGS = Symbol('belongs');

/** The connections of one owner, each kind in the order in which something last happened on them. */
interface Group {
  /** Those on which nothing is under way. */
  readonly idle: Set<Socket>;
  readonly busy: Set<Socket>;
}

/** Says whose connection it is that a request came on. */
export function belongsTo({ socket }: IncomingMessage, owner: string): void {
  socket.emit(BELONGS, owner);
}

/**
 * Open connections by whom they belong to, so that one can be let go when there are too many: one of the owner who has
 * most (the rule for full buffers of Suter et al., "Design Considerations for Supporting TCP with Per-Flow Queueing",
 * INFOCOM 1998). So whoever opens very many closes their own.
 */
export class Crowd {
  readonly #owners = new Map<Socket, string>();
  readonly #groups = new Map<string, Group>();

  get size(): number {
    return this.#owners.size;
  }

  /** How many belong to callers who are not known. */
  get strangers(): number {
    return sizeOf(this.#groups.get(STRANGERS));
  }

  /** A connection was opened. */
  add(socket: Socket): void {
    this.#owners.set(socket, STRANGERS);
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

  /** The one that is idle for longest, or else the one on which something was begun longest ago. */
  #closeOneOf(group: Group | undefined): void {
    const socket = group?.idle.values().next().value ?? group?.busy.values().next().value;
    if (socket === undefined) return;
    // It says that it is closed only later; till then others may have to go too.
    this.#remove(socket);
    socket.destroy();
  }

  #belongsTo(socket: Socket, owner: string): void {
    const before = this.#owners.get(socket);
    if (before === undefined || before === owner) return;
    const isBusy = this.#groupOf(before).busy.has(socket);
    this.#remove(socket);
    this.#owners.set(socket, owner);
    this.#groupOf(owner)[isBusy ? 'busy' : 'idle'].add(socket);
  }

  #remove(socket: Socket): void {
    const owner = this.#owners.get(socket);
    if (owner === undefined) return;
    this.#owners.delete(socket);
    const group = this.#groupOf(owner);
    group.idle.delete(socket);
    group.busy.delete(socket);
    if (sizeOf(group) === 0) this.#groups.delete(owner);
  }

  #move(socket: Socket, from: keyof Group, to: keyof Group): void {
    const owner = this.#owners.get(socket);
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

function sizeOf(group: Group | undefined): number {
  return group === undefined ? 0 : group.idle.size + group.busy.size;
}
