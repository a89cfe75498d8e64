import { Batcher, type Outcome } from '@action-platform/batching';
import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import {
  type ClientInsertOneModel,
  type ClientUpdateOneModel,
  type MongoClient,
  MongoClientBulkWriteError,
} from 'mongodb';

/** The insertion of a document that makes a change. */
export type Insertion = ClientInsertOneModel<{ _id: string }> & { readonly namespace: string };

/** A write of a sequence: the update of a usage, or an insertion that needs it. */
type Write = (ClientUpdateOneModel<{ _id: string }> & { readonly namespace: string }) | Insertion;

/** Writes that are made in order, up to the first that fails. */
export interface Sequence {
  readonly writes: readonly Write[];
  /** Their approximate size. */
  readonly bytes: number;
}

/** The write of a sequence at which the database stopped, from 0, and why; undefined when it made all of them. */
export type Stop = { readonly position: number; readonly code: number; readonly error: Error } | undefined;

/** Larger sequences take a command of their own: no Workspace waits for the large writes of another. */
const SMALL_BYTES = 64 * 1024;
/** Two at once, so that a sequence need not wait for the end of the command under way. */
const TOGETHER = { maxItems: 100, maxBytes: 1024 * 1024, atOnce: 2 };

/** Makes sequences of writes, the small ones of many Workspaces in one command. */
export class PooledWrites {
  readonly #client: Pick<MongoClient, 'bulkWrite'>;
  readonly #small: Batcher<Sequence, Stop>;

  constructor(client: Pick<MongoClient, 'bulkWrite'>) {
    this.#client = client;
    this.#small = new Batcher(
      'usage.together',
      { ...TOGETHER, bytesOf: ({ bytes }) => bytes },
      (sequences, timed) => this.#makeAll(sequences, timed),
    );
  }

  /** Makes the writes of a sequence; rejects when it is unknown which of them were made. */
  async make(sequence: Sequence, timed: Timed): Promise<Stop> {
    if (sequence.bytes > SMALL_BYTES) return await this.#make(sequence.writes, timed);
    return await this.#small.submit(sequence, timed);
  }

  /**
   * One sequence after the other, in one command. When one stops, the database has not looked at those behind it: they are
   * made once more, now each by itself, so that nobody waits for more than one that stopped.
   */
  async #makeAll(sequences: readonly Sequence[], timed: Timed): Promise<Outcome<Stop>[]> {
    const stop = await this.#make(
      sequences.flatMap(({ writes }) => writes),
      timed,
    );
    if (stop === undefined) return sequences.map(() => ({ value: undefined }));
    let { position } = stop;
    const stopped = sequences.findIndex(({ writes }) => {
      if (position < writes.length) return true;
      position -= writes.length;
      return false;
    });
    const behind = sequences.slice(stopped + 1).map(({ writes }) => this.#make(writes, timed));
    return [
      ...sequences.slice(0, stopped).map(() => ({ value: undefined })),
      { value: { ...stop, position } },
      ...(await Promise.allSettled(behind)).map(outcomeOf),
    ];
  }

  async #make(writes: readonly Write[], timed: Timed): Promise<Stop> {
    try {
      await this.#client.bulkWrite<Record<string, { _id: string }>>([...writes], {
        ordered: true,
        ...within(timed),
      });
      return undefined;
    } catch (error) {
      return stopOf(error);
    }
  }
}

function outcomeOf(settled: PromiseSettledResult<Stop>): Outcome<Stop> {
  return settled.status === 'fulfilled' ? { value: settled.value } : { error: settled.reason };
}

/** The write at which an ordered bulk write stopped, when that and nothing else went wrong. */
function stopOf(error: unknown): Stop {
  if (!(error instanceof MongoClientBulkWriteError) || error.writeConcernErrors.length > 0) throw error;
  const [failed] = error.writeErrors;
  if (failed === undefined) throw error;
  const [position, { code }] = failed;
  return { position, code, error };
}
