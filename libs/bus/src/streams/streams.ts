import { type Stream, streamSubject } from '@action-platform/contracts/bus';
import { ActionError } from '@action-platform/contracts/errors';
import type { BusUser } from '@action-platform/contracts/services';
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type NatsConnection, RequestError } from '@nats-io/transport-node';
import type { Connection } from '../nats/connection.ts';
import { nothingUpTo, type Position, type Reading, readStream } from './read.ts';
import { changeStream, createStream } from './settings.ts';
import type { StoredMessage } from './stored-message.ts';

/** A message to store. */
export interface NewMessage {
  /** The Workspace that it concerns; none when it concerns several. */
  readonly workspaceId?: string;
  /** A message with the same id is stored once within two minutes. */
  readonly id: string;
  readonly body: Uint8Array | string;
  readonly timeoutMs: number;
}

/** The messages that a stream has. */
export interface StreamState {
  /** The sequence of its oldest message; 0 before the first message. */
  readonly firstSequence: number;
  /** The highest sequence so far; 0 before the first message. */
  readonly lastSequence: number;
  /** A stream that was created anew counts from 1 again. */
  readonly createdAt: Date;
  /** How many bytes its messages take, of how many at most, and on how many servers. */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly replicas: number;
}

/** The streams on the NATS servers, by JetStream. While JetStream is away each method rejects; nothing else of the bus needs JetStream. */
export class Streams {
  readonly #connection: Connection;
  readonly #user: BusUser;
  readonly #client: JetStreamClient;
  readonly #manager: Promise<JetStreamManager>;

  constructor(nc: NatsConnection, connection: Connection, user: BusUser) {
    this.#connection = connection;
    this.#user = user;
    this.#client = jetstream(nc);
    // Does not send anything.
    this.#manager = jetstreamManager(nc, { checkAPI: false });
  }

  /**
   * Stores a message and resolves with its sequence. Throws ActionError: `action_platform_unavailable` when it was not stored,
   * `action_infrastructure_failure` when that is unknown.
   */
  async store(
    stream: Stream,
    { workspaceId, id, body, timeoutMs }: NewMessage,
  ): Promise<{ sequence: number }> {
    // The client would keep the message for the next connection.
    if (!this.#connection.isConnected) throw new ActionError('action_platform_unavailable');
    const subject = streamSubject(stream, this.#user, workspaceId);
    try {
      const { seq } = await this.#client.publish(subject, body, { msgID: id, timeout: timeoutMs });
      return { sequence: seq };
    } catch (error) {
      throw new ActionError(
        isUnknown(error) ? 'action_infrastructure_failure' : 'action_platform_unavailable',
      );
    }
  }

  /** Creates a stream unless it exists. Rejects with JetStream's reason. */
  async create(stream: Stream): Promise<void> {
    await createStream(await this.#manager, stream);
  }

  /** Gives an existing stream the declared settings, this size, and replicas on three servers where there are. Rejects with JetStream's reason. */
  async change(stream: Stream, maxBytes: number): Promise<void> {
    await changeStream(await this.#manager, stream, maxBytes);
  }

  /** The state of a stream. */
  async state(stream: Stream): Promise<StreamState> {
    const { state, created, config } = await (await this.#manager).streams.info(stream.name);
    return {
      firstSequence: state.first_seq,
      lastSequence: state.last_seq,
      createdAt: new Date(created),
      bytes: state.bytes,
      maxBytes: config.max_bytes,
      replicas: config.num_replicas,
    };
  }

  /** Reads stored messages, in order. Without a message `read` may not have reached the end yet: see `nothingUpTo`. */
  async read(stream: Stream, reading: Reading): Promise<StoredMessage[]> {
    return await readStream(await this.#manager, stream, reading);
  }

  /** The sequence up to which a Workspace has no message from `from` on; `from - 1` when it has the very next. */
  async nothingUpTo(stream: Stream, position: Position): Promise<number> {
    return await nothingUpTo(await this.#manager, stream, position);
  }
}

/** Whether a message may have been stored although its publication failed. */
function isUnknown(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return false;
  return !(error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders());
}
