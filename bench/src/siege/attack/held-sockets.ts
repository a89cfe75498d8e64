import { connect, type Socket } from 'node:net';
import type { Attack, HeldSockets } from './attack.ts';
import type { HostileKind } from './kinds.ts';

/** The sockets of one kind. */
export class Held {
  readonly #kind: HostileKind;
  readonly #attack: Attack;
  readonly #open = new Set<Socket>();
  #pending = 0;
  #opened = 0;
  #refused = 0;
  #most = 0;
  #looks = 0;
  #sum = 0;

  constructor(kind: HostileKind, attack: Attack) {
    this.#kind = kind;
    this.#attack = attack;
  }

  get opened(): number {
    return this.#opened;
  }

  get isComplete(): boolean {
    return this.#open.size + this.#pending >= this.#attack.socketsOfEachKind;
  }

  /** Opens one more socket. */
  openOne(): void {
    const { host, port, credentials, large } = this.#attack;
    const authorization = credentials[(this.#opened + this.#pending) % credentials.length]!;
    this.#pending++;
    let isPending = true;
    const settled = () => {
      if (isPending) this.#pending--;
      isPending = false;
    };
    const socket = connect({ host, port, noDelay: true });
    // Unread bytes beyond the kernel's buffers stay in the gateway's memory.
    if (this.#kind.leavesUnread) socket.pause();
    else socket.resume();
    socket.on('connect', () => {
      settled();
      this.#opened++;
      this.#open.add(socket);
      this.#most = Math.max(this.#most, this.#open.size);
      socket.write(this.#kind.first(authorization, large), 'latin1');
    });
    socket.on('error', () => {
      if (isPending) this.#refused++;
      socket.destroy();
    });
    socket.on('close', () => {
      settled();
      this.#open.delete(socket);
    });
  }

  /** Sends the repeated text on each socket. */
  nudge(): void {
    const { again } = this.#kind;
    for (const socket of this.#open) if (again !== undefined) socket.write(again, 'latin1');
  }

  /** Counts the open sockets. */
  look(): void {
    this.#looks++;
    this.#sum += this.#open.size;
  }

  /** Closes all sockets and returns the counts. */
  end(): HeldSockets {
    const { size } = this.#open;
    for (const socket of this.#open) socket.destroy();
    const mean = this.#looks === 0 ? size : this.#sum / this.#looks;
    return { most: this.#most, mean: Math.round(mean), opened: this.#opened, refused: this.#refused };
  }
}
