import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENTS, recountQuota } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { lostResumeToken } from '@action-platform/testing';
import {
  addTarget,
  again,
  blockFolder,
  callers,
  fillDisk,
  lockWrites,
  restrict,
} from '../harness/faults/dependencies.ts';
import type { Repair } from '../harness/faults/fault.ts';
import { freeze, kill } from '../harness/faults/processes.ts';
import { execute } from '../stack-process.ts';
import type { Ground } from './ground.ts';

/** A failure of the platform, and the alert for it. */
export interface Failure {
  readonly alert: string;
  /** A description for the output. */
  readonly cause: string;
  /** Causes it. */
  happen(ground: Ground): Promise<Repair> | Repair;
}

/** Stops all writes of MongoDB while callers create Collections. */
function withoutWrites(size: number): Failure['happen'] {
  return async ({ mongo, demo }) => {
    const unlock = await lockWrites(mongo);
    const input = () => ({ name: randomUUID() });
    const leave = callers(demo, { size, operation: 'record_store.create_collection', input });
    return async () => {
      // Callers leave after their answer.
      await unlock();
      await leave();
    };
  };
}

interface Created {
  readonly collection: { readonly id: string };
}

async function pushRecords(demo: Demo, size: number): Promise<Repair> {
  const { base_url, owner } = demo;
  const create = 'record_store.create_collection';
  const created = await execute<Created>(base_url, owner.token, create, { name: randomUUID() });
  const input = () => ({ collection_id: created.body.result!.collection.id, payload: {} });
  return callers(demo, { size, operation: 'record_store.push_record', input });
}

/** One failure for each alert. Those of a group happen at the same time and do not affect each other's alerts. */
export const failures: readonly (readonly Failure[])[] = [
  [
    {
      alert: 'AvailabilityBurnsSlowly',
      cause: 'procedures may not write to MongoDB for one second in ten',
      happen: ({ mongo }) =>
        again(() => restrict(mongo, 'procedures', ['read']), { forMs: 1_000, everyMs: 10_000 }),
    },
    {
      alert: 'LatencyBurnsSlowly',
      cause: 'mongod hangs for 0.6 s of ten',
      happen: (ground) => again(() => freeze(ground.pids('mongod')), { forMs: 600, everyMs: 10_000 }),
    },
  ],
  [
    {
      alert: 'QuotaDrifted',
      cause: 'the usage of a Workspace is changed by hand in MongoDB, and recounted',
      happen: async ({ mongo, operator, demo: { workspace_id: workspace } }) => {
        const usage = mongo.db('record-store').collection<{ _id: string }>('usage');
        await usage.updateOne({ _id: workspace }, { $inc: { stored_bytes: 1_000 } });
        await operator.call(recountQuota, { workspace });
        return () => {};
      },
    },
  ],
  [
    {
      alert: 'StreamFull',
      cause: 'the stream EVENTS is made small',
      happen: async ({ operator: { streams } }) => {
        await streams.change(EVENTS, 100_000);
        return () => streams.change(EVENTS, EVENTS.maxBytes);
      },
    },
  ],
  [
    {
      alert: 'ChangesDelayed',
      cause: 'procedures loses the right to write to MongoDB',
      happen: ({ mongo }) => restrict(mongo, 'procedures', ['read']),
    },
    {
      alert: 'AuditIncomplete',
      cause: 'audit loses the right to write to MongoDB',
      happen: ({ mongo }) => restrict(mongo, 'audit', ['read']),
    },
  ],
  [
    {
      alert: 'ChangesMissing',
      cause: 'procedures is killed, and its position is set to a change that the oplog does not have',
      happen: async (ground) => {
        kill(ground.pids('procedures'));
        // The killed replica has the lease for some seconds, so its successor reads this position.
        const db = ground.mongo.db('procedures');
        await db.collection('tail').updateOne({}, { $set: { token: await lostResumeToken(db) } });
        return () => {};
      },
    },
  ],
  [
    {
      alert: 'MailSystemFailing',
      cause: 'a file replaces the folder of the local mail system',
      happen: ({ directory, demo }) => {
        const repair = blockFolder(directory.mail);
        const operation = 'mail.send_email';
        const leave = callers(demo, {
          size: 1,
          operation,
          input: () => ({ to: ['a@example.com'], subject: 's', body: 'b' }),
        });
        return async () => {
          await leave();
          repair();
        };
      },
    },
  ],
  [
    {
      alert: 'EventLoopLate',
      cause: 'knowledge is suspended for 0.3 s of each half second',
      happen: (ground) => again(() => freeze(ground.pids('knowledge')), { forMs: 300, everyMs: 500 }),
    },
  ],
  [
    {
      alert: 'LatencyBurnsFast',
      cause: 'mongod hangs for 0.6 s of each 1.2 s',
      happen: (ground) => again(() => freeze(ground.pids('mongod')), { forMs: 600, everyMs: 1_200 }),
    },
  ],
  [
    {
      alert: 'AvailabilityBurnsFast',
      cause: 'knowledge loses all its rights in MongoDB',
      happen: ({ mongo }) => restrict(mongo, 'knowledge', []),
    },
  ],
  [
    {
      alert: 'FilesMissing',
      cause: 'a file replaces FILES_DIR',
      happen: ({ directory }) => blockFolder(directory.files),
    },
  ],
  [
    {
      alert: 'BusReconnecting',
      cause: 'the nats-server is killed and restarts at once',
      happen: (ground) => {
        kill(ground.pids('nats-server'));
        return () => {};
      },
    },
  ],
  [
    {
      alert: 'BusLost',
      cause: 'the nats-server hangs',
      happen: (ground) => freeze(ground.pids('nats-server')),
    },
  ],
  [
    {
      alert: 'StreamLost',
      cause: 'the files of JetStream are removed, and the nats-server is killed',
      happen: (ground) => {
        rmSync(join(ground.directory.nats, 'jetstream'), { recursive: true });
        kill(ground.pids('nats-server'));
        return () => {};
      },
    },
  ],
  [
    {
      alert: 'IssuerUnreachable',
      cause: 'an issuer answers with 503',
      happen: ({ issuer }) => {
        issuer.answering = false;
        return () => {
          issuer.answering = true;
        };
      },
    },
    {
      alert: 'DiskNearlyFull',
      cause: 'a file fills nine tenths of the file system of MongoDB',
      happen: ({ directory }) => fillDisk(directory.mongod, 0.9),
    },
    {
      alert: 'ClocksApart',
      cause: 'a replica of procedures has a clock that is a minute fast',
      happen: async (ground) => {
        const script = 'const now = Date.now; Date.now = () => now() + 60_000;';
        const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`;
        const { stop } = await ground.replica({ NODE_OPTIONS });
        return stop;
      },
    },
    {
      alert: 'CertificatesEnding',
      cause: 'a replica of procedures gets an authority that ends in 20 days',
      happen: async (ground) => {
        const NATS_CA_FILE = join(ground.stack.directory, 'ending.pem');
        const subject = ['-newkey', 'ed25519', '-nodes', '-subj', '/CN=ending', '-keyout', '/dev/null'];
        execFileSync('openssl', ['req', '-x509', ...subject, '-days', '20', '-out', NATS_CA_FILE]);
        const METRICS_PORT = String(await freePort());
        const { stop } = await ground.replica({ NATS_CA_FILE, METRICS_PORT });
        const forget = addTarget(ground.directory.metricsTargets, METRICS_PORT);
        return async () => {
          forget();
          await stop();
        };
      },
    },
  ],
  [
    {
      alert: 'ReplicaMissing',
      cause: 'one of two replicas of record-store hangs',
      happen: (ground) => freeze(ground.pids('record-store').slice(0, 1)),
    },
  ],
  [
    {
      alert: 'ServiceMissing',
      cause: 'the only replica of procedures hangs',
      happen: (ground) => freeze(ground.pids('procedures')),
    },
  ],
  [
    {
      alert: 'ConnectionsShort',
      cause: 'MongoDB makes no writes (fsyncLock), and a hundred callers create Collections',
      happen: withoutWrites(100),
    },
  ],
  [
    {
      alert: 'CallsRefused',
      cause: 'the same, and seven hundred callers',
      happen: withoutWrites(700),
    },
  ],
  [
    {
      alert: 'DatabaseFailing',
      cause: 'mongod hangs',
      happen: (ground) => freeze(ground.pids('mongod')),
    },
  ],
  [
    {
      alert: 'WebhooksFailing',
      cause: 'events loses the right to write to MongoDB',
      happen: ({ mongo }) => restrict(mongo, 'events', ['read']),
    },
  ],
  [
    {
      alert: 'QuotaInDoubt',
      cause: 'record-store loses the right to write to MongoDB while callers push Records',
      happen: async ({ mongo, demo }) => {
        const stop = await pushRecords(demo, 50);
        await delay(1_000);
        const repair = await restrict(mongo, 'record-store', ['read']);
        await stop();
        return repair;
      },
    },
  ],
];
