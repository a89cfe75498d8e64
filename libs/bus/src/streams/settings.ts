import { type Stream, streamSubjects } from '@action-platform/contracts/bus';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';

const NANOSECONDS = 1_000_000;
/** A message that is published again within this time is stored once. */
const DUPLICATE_WINDOW_MS = 120_000;
/** In a cluster each message is on three servers. */
const CLUSTER_REPLICAS = 3;
/** JetStream's error code of a single server that is asked for replicas. */
const NOT_CLUSTERED = 10_074;

/** Creates a stream unless it exists. Rejects with JetStream's error. */
export async function createStream(manager: JetStreamManager, stream: Stream): Promise<void> {
  try {
    await manager.streams.info(stream.name);
  } catch (error) {
    if (!hasCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
    const fixed = { name: stream.name, storage: StorageType.File, retention: RetentionPolicy.Limits };
    const settings = { ...fixed, ...settingsOf(stream, stream.maxBytes) };
    try {
      await manager.streams.add({ ...settings, num_replicas: CLUSTER_REPLICAS });
    } catch (refused) {
      if (!hasCode(refused, NOT_CLUSTERED)) throw refused;
      await manager.streams.add({ ...settings, num_replicas: 1 });
    }
  }
}

/** Gives a stream the declared settings and this size. Rejects with JetStream's error. */
export async function changeStream(
  manager: JetStreamManager,
  stream: Stream,
  maxBytes: number,
): Promise<void> {
  const { cluster } = await manager.streams.info(stream.name);
  // A single server would take any number.
  const num_replicas = cluster?.name ? CLUSTER_REPLICAS : 1;
  await manager.streams.update(stream.name, { ...settingsOf(stream, maxBytes), num_replicas });
}

function settingsOf(stream: Stream, maxBytes: number) {
  return {
    subjects: [streamSubjects(stream)],
    discard: DiscardPolicy.Old,
    max_age: stream.maxAgeMs * NANOSECONDS,
    max_bytes: maxBytes,
    duplicate_window: DUPLICATE_WINDOW_MS * NANOSECONDS,
    allow_direct: true,
    // No user of the API can remove a message.
    deny_delete: true,
    deny_purge: true,
  };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
