import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '@action-platform/contracts/limits';

/** The owner of a connection before its first authenticated request. */
const UNAUTHENTICATED = '';

/** The event that carries the owner from a request to the table. */
const OWNER = Symbol('owner');

/** The connections of one owner, idle and busy ones in the order of their last change. */
interface Group {
  readonly owner: string;
  /** Connections without a request under way. */
  readonly idle: Set<Socket>;
  readonly busy: Set<Socket>;
}

export type TableLimits = Pick<Limits, 'GATEWAY_MAX_CONNECTIONS' | 'GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS'>;

/** Records the owner of a request's connection. */
export function assignOwner({ socket }: IncomingMessage, owner: string): void {
  socket.emit(OWNER, owner);
}

/**
 * The open connections by owner. A full table evicts a connection before it adds one, so the newest always stays.
 * The owner of most connections loses the one that has been idle for longest: the rule for full buffers of Suter et al., "Design
 * Considerations for Supporting TCP with Per-Flow Queueing", INFOCOM 1998. A client that opens very many evicts its own.
 */
export class ConnectionTable {
  readonly #limits: TableLimits;
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<Socket, Group>();

  constructor(limits: TableLimits) {
    this.#limits = limits;
  }

  /** Adds a new connection, and removes it when it closes. */
  add(socket: Socket): void {
    this.#evictBeyondLimits();
    this.#group(UNAUTHENTICATED).idle.add(socket);
    this.#groupOf.set(socket, this.#group(UNAUTHENTICATED));
    socket.on(OWNER, (owner: string) => this.#assign(socket, owner));
    socket.once('close', () => this.#remove(socket));
  }

  markBusy(socket: Socket): void {
    const group = this.#groupOf.get(socket);
    group?.idle.delete(socket);
    group?.busy.add(socket);
  }

  markIdle(socket: Socket): void {
    const group = this.#groupOf.get(socket);
    group?.busy.delete(socket);
    group?.idle.add(socket);
  }

  #evictBeyondLimits(): void {
    const unauthenticated = this.#groups.get(UNAUTHENTICATED);
    if (sizeOf(unauthenticated) >= this.#limits.GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS) {
      this.#evictFrom(unauthenticated);
    } else if (this.#groupOf.size >= this.#limits.GATEWAY_MAX_CONNECTIONS) {
      let largest: Group | undefined;
      for (const group of this.#groups.values()) if (sizeOf(group) > sizeOf(largest)) largest = group;
      this.#evictFrom(largest);
    }
  }

  /** Closes the connection that has been idle for longest; without an idle one, the one whose request began first. */
  #evictFrom(group: Group | undefined): void {
    const socket = group?.idle.values().next().value ?? group?.busy.values().next().value;
    if (socket === undefined) return;
    // The socket emits `close` later; until then it must not be evicted again.
    this.#remove(socket);
    socket.destroy();
  }

  #assign(socket: Socket, owner: string): void {
    const before = this.#groupOf.get(socket);
    if (before === undefined || before.owner === owner) return;
    const isBusy = before.busy.has(socket);
    this.#remove(socket);
    const group = this.#group(owner);
    group[isBusy ? 'busy' : 'idle'].add(socket);
    this.#groupOf.set(socket, group);
  }

  #remove(socket: Socket): void {
    const group = this.#groupOf.get(socket);
    if (group === undefined) return;
    this.#groupOf.delete(socket);
    group.idle.delete(socket);
    group.busy.delete(socket);
    if (sizeOf(group) === 0) this.#groups.delete(group.owner);
  }

  #group(owner: string): Group {
    return this.#groups.getOrInsertComputed(owner, () => ({ owner, idle: new Set(), busy: new Set() }));
  }
}

function sizeOf(group: Group | undefined): number {
  return group === undefined ? 0 : group.idle.size + group.busy.size;
}
