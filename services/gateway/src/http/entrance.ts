import type { Socket } from 'node:net';
import { TokenBucket } from '@action-platform/token-bucket';

/**
 * How many connections come in between two steps of what is under way, which is a turn of the event loop: each costs most of
 * a millisecond until its first request is answered. With 64 in every turn, a thousand strangers who came in a second and were turned
 * away made the calls of others ten times slower, with 4 three times.
 */
const FEW = 2;
const MANY = 64;
/** How many come in faster than that in the long run: all callers of a gateway that has just been started, and then hardly any. */
const HASTY_PER_SECOND = 16;
const SAVED_SECONDS = 128;
/** How many wait at most. */
const MOST_WAITING = 2_048;

/** How soon those who found no room ask again, in milliseconds. */
const ASK_AGAIN_MS = 10;

/** How many may come in. */
export type Room = 'many' | 'few' | 'none';

/** Where new connections wait, unread, until they come in: many at once now and then, few while they do not stop coming. */
export class Entrance {
  readonly #letIn: (socket: Socket) => void;
  readonly #room: () => Room;
  readonly #waiting = new Set<Socket>();
  readonly #hasty = new TokenBucket(HASTY_PER_SECOND, SAVED_SECONDS);
  #cameIn = 0;
  #isWideOpen = false;

  /**
   * @param letIn takes a connection on
   * @param room less than many when those who came in before are to be known first
   */
  constructor(letIn: (socket: Socket) => void, room: () => Room) {
    this.#letIn = letIn;
    this.#room = room;
  }

  /** A connection was made, of which nothing was read yet. */
  arrive(socket: Socket): void {
    if (this.#cameIn === 0 && this.#waiting.size === 0) setImmediate(this.#turn);
    if (this.#waiting.size === 0 && this.#hasRoom()) this.#admit(socket);
    else if (this.#waiting.size < MOST_WAITING) this.#waiting.add(socket);
    else socket.destroy();
  }

  /** From now on nobody waits. */
  openWide(): void {
    this.#isWideOpen = true;
    this.#turn();
  }

  /** The turn is over: who waits comes in with the next. */
  readonly #turn = (): void => {
    this.#cameIn = 0;
    for (const socket of this.#waiting) {
      if (!this.#hasRoom()) break;
      this.#waiting.delete(socket);
      this.#admit(socket);
    }
    if (this.#cameIn > 0) setImmediate(this.#turn);
    else if (this.#waiting.size > 0) setTimeout(this.#turn, ASK_AGAIN_MS);
  };

  #hasRoom(): boolean {
    if (this.#isWideOpen) return true;
    const room = this.#room();
    if (room === 'none' || this.#cameIn < FEW) return room !== 'none';
    return this.#cameIn < MANY && room === 'many' && this.#hasty.take();
  }

  #admit(socket: Socket): void {
    this.#cameIn++;
    this.#letIn(socket);
  }
}
