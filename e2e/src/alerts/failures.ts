import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENTS } from '@action-platform/contracts/bus';
import {
  addFile,
  addMember,
  addSender,
  createWorkspace,
  deleteWorkspace,
  recountQuota,
  removeMember,
  removeSender,
} from '@action-platform/contracts/calls';
import type { Demo } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { ImapServer, lostResumeToken, testCertificate } from '@action-platform/testing';
import { Caller } from '@action-platform/testing/http';
import type { Document } from 'mongodb';
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
import type { AlertPlatform } from './alert-platform.ts';

/** A failure of the platform, and the alert for it. */
export interface Failure {
  readonly alert: string;
  /** A description for the output. */
  readonly cause: string;
  /** Causes it. */
  happen(platform: AlertPlatform): Promise<Repair> | Repair;
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

async function pushRecords(demo: Demo, size: number): Promise<Repair> {
  const { base_url, owner } = demo;
  const caller = new Caller(base_url, owner.token);
  const { collection } = await caller.execute('record_store.create_collection', { name: randomUUID() });
  const input = () => ({ collection_id: collection.id, payload: {} });
  return callers(demo, { size, operation: 'record_store.push_record', input });
}

/** Starts a replica of procedures with an authority that ends, or has ended, by so many days from now. */
async function replicaWithAuthority(platform: AlertPlatform, days: number): Promise<Repair> {
  const file = (name: string) => join(platform.directory, `authority-${days}.${name}`);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  openssl(
    ...['req', '-new', '-newkey', 'ed25519', '-nodes', '-subj', '/CN=ending'],
    ...['-keyout', file('key'), '-out', file('request')],
  );
  openssl(
    ...['x509', '-req', '-in', file('request'), '-signkey', file('key')],
    ...['-days', String(days), '-out', file('pem')],
  );
  const METRICS_PORT = String(await freePort());
  const { stop } = await platform.replica({ NATS_CA_FILE: file('pem'), METRICS_PORT });
  const forget = addTarget(platform.places.metricsTargets, METRICS_PORT);
  return async () => {
    forget();
    await stop();
  };
}

/** Members draft in a mailbox of an IMAP server that has ended. */
async function draftWithoutServer({ operator, demo }: AlertPlatform): Promise<Repair> {
  const { authority: ca, server: pem } = await testCertificate();
  const server = await new ImapServer(pem).start();
  const { workspace_id: workspace } = demo;
  const mailbox = {
    provider: 'imap',
    host: '127.0.0.1',
    port: server.port,
    login: 'shared',
    ca,
    secret: 's',
  };
  const { sender } = await operator.call(addSender, {
    ...{ workspace, email: 'shared@example.com', display_name: 'Shared', ...mailbox },
    ...{ everyone: true, interactive: true, member: [], scheduled: false },
  });
  server.stop();
  const email = { to: ['a@example.com'], subject: 's', body: 'b', sender_id: sender.senderId };
  const leave = callers(demo, { size: 1, operation: 'mail.send_email', input: () => email });
  return async () => {
    await leave();
    await operator.call(removeSender, { workspace, sender: sender.senderId });
  };
}

const when = (alert: string, cause: string, happen: Failure['happen']): Failure => ({ alert, cause, happen });

/** Alerts that always fire, without a failure. */
export const alwaysFiring = ['Watchdog'];

/**
 * A failure or more for each other alert. The failures of a group happen at the same time: none causes the alert of another, or keeps it
 * from firing or ending.
 */
export const failures: readonly (readonly Failure[])[] = [
  [
    when(
      'AvailabilityBurnsSlowly',
      'procedures may not write to MongoDB for one second in ten',
      ({ mongo }) => again(() => restrict(mongo, 'procedures', ['read']), { forMs: 1_000, everyMs: 10_000 }),
    ),
    when('LatencyBurnsSlowly', 'mongod hangs for 0.6 s of ten', (platform) =>
      again(() => freeze(platform.pids('mongod')), { forMs: 600, everyMs: 10_000 }),
    ),
  ],
  // Callers notice none of these.
  [
    when(
      'QuotaDrifted',
      'the usage of a Workspace is changed by hand in MongoDB, and recounted',
      async ({ mongo, operator, demo: { workspace_id: workspace } }) => {
        const usage = mongo.db('record-store').collection<{ _id: string }>('usage');
        await usage.updateOne({ _id: workspace }, { $inc: { stored_bytes: 1_000 } });
        await operator.call(recountQuota, { workspace });
        return () => {};
      },
    ),
    when('StreamFull', 'the stream EVENTS is made small', async ({ operator: { streams } }) => {
      await streams.change(EVENTS, 100_000);
      return () => streams.change(EVENTS, EVENTS.maxBytes);
    }),
    when('DatabaseMemberMissing', 'the replica set gets a member that does not run', async ({ mongo }) => {
      const admin = mongo.db('admin');
      const reconfigure = async (change: (members: readonly Document[]) => Document[]) => {
        const { config } = await admin.command({ replSetGetConfig: 1 });
        const members = change(config.members);
        await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members } });
      };
      const host = `127.0.0.1:${await freePort()}`;
      await reconfigure((members) => [...members, { _id: 9, host, votes: 0, priority: 0 }]);
      return () => reconfigure((members) => members.filter(({ _id }) => _id !== 9));
    }),
    when('BusMemberMissing', 'one of two servers of a NATS cluster ends', (platform) =>
      platform.loseBusMember(),
    ),
    when('IssuerUnreachable', 'an issuer answers with 503', ({ issuer }) => {
      issuer.answering = false;
      return () => {
        issuer.answering = true;
      };
    }),
    when('DiskNearlyFull', 'a file fills nine tenths of the file system of MongoDB', ({ places }) =>
      fillDisk(places.mongod, 0.9),
    ),
    when('ClocksApart', 'a replica of procedures has a clock that is a minute fast', async (platform) => {
      const script = 'const now = Date.now; Date.now = () => now() + 60_000;';
      const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`;
      return (await platform.replica({ NODE_OPTIONS })).stop;
    }),
    when('CertificatesEnding', 'a replica of procedures gets an authority that ends in 20 days', (platform) =>
      replicaWithAuthority(platform, 20),
    ),
    when('MailSystemFailing', 'a file replaces the folder of the local mail system', ({ places, demo }) => {
      const repair = blockFolder(places.mail);
      const email = { to: ['a@example.com'], subject: 's', body: 'b' };
      const leave = callers(demo, { size: 1, operation: 'mail.send_email', input: () => email });
      return async () => {
        await leave();
        repair();
      };
    }),
    when('FilesMissing', 'a file replaces FILES_DIR', ({ places }) => blockFolder(places.files)),
  ],
  // Each failure is of another service. The failure of events ends before its changes are late.
  [
    when('ChangesDelayed', 'procedures loses the right to write to MongoDB', ({ mongo }) =>
      restrict(mongo, 'procedures', ['read']),
    ),
    when('AuditIncomplete', 'audit loses the right to write to MongoDB', ({ mongo }) =>
      restrict(mongo, 'audit', ['read']),
    ),
    when('WebhooksFailing', 'events loses the right to write to MongoDB', ({ mongo }) =>
      restrict(mongo, 'events', ['read']),
    ),
    // The same alerts as above, and so in another group.
    when('MailSystemFailing', 'the IMAP server of a mailbox ends', draftWithoutServer),
    when('CertificatesEnding', 'a replica of procedures gets an authority that ended yesterday', (platform) =>
      replicaWithAuthority(platform, -1),
    ),
    when('EventLoopLate', 'knowledge is suspended for 0.3 s of each half second', (platform) =>
      again(() => freeze(platform.pids('services/knowledge/')), { forMs: 300, everyMs: 500 }),
    ),
  ],
  [
    when(
      'OneReplicaBusy',
      'the replica of procedures has a fifth of its time, while Procedures of new Workspaces are written',
      async (platform) => {
        const pids = platform.pids('services/procedures/');
        const procedures = platform.mongo.db('procedures').collection<{ _id: string }>('procedures');
        const written = { title: 'busy', origin: { user_id: 'busy' } };
        const writing = again(
          async () => {
            const many = Array.from({ length: 2_000 }, () => {
              const _id = randomUUID();
              return { _id, workspace_id: _id, slug: _id, created_at: new Date(), ...written };
            });
            await procedures.insertMany(many);
            return () => {};
          },
          { forMs: 0, everyMs: 200 },
        );
        const slow = again(() => freeze(pids), { forMs: 400, everyMs: 500 });
        return async () => {
          await slow();
          await writing();
          await procedures.deleteMany({ title: 'busy' });
        };
      },
    ),
  ],
  [
    when(
      'ErasureFailing',
      'knowledge loses the right to write to MongoDB while a Workspace is erased',
      async ({ mongo, operator }) => {
        const { workspace_id: workspace } = await operator.call(createWorkspace, { name: 'Erased' });
        // A service that has nothing of a Workspace writes nothing.
        await operator.call(addFile, { workspace, path: 'a.md' });
        const repair = await restrict(mongo, 'knowledge', ['read']);
        await operator.call(deleteWorkspace, { workspace, grace_days: 0 });
        return repair;
      },
    ),
  ],
  [
    when(
      'MailboxSecretsKept',
      'mail loses the right to write to MongoDB while a Member is removed',
      async ({ mongo, operator, demo: { workspace_id: workspace } }) => {
        const repair = await restrict(mongo, 'mail', ['read']);
        const user = randomUUID();
        await operator.call(addMember, { workspace, user, role: 'member' });
        await operator.call(removeMember, { workspace, user, force: false });
        return repair;
      },
    ),
    when(
      'QuotaInDoubt',
      'record-store loses the right to write to MongoDB while callers push Records',
      async ({ mongo, demo }) => {
        const stop = await pushRecords(demo, 50);
        await delay(1_000);
        const repair = await restrict(mongo, 'record-store', ['read']);
        await stop();
        return repair;
      },
    ),
    when(
      'ChangesMissing',
      'procedures is killed, and its position is set to a change that the oplog does not have',
      async (platform) => {
        kill(platform.pids('services/procedures/'));
        // The killed replica has the lease for some seconds, so its successor reads this position.
        const db = platform.mongo.db('procedures');
        await db.collection('tail').updateOne({}, { $set: { token: await lostResumeToken(db) } });
        return () => {};
      },
    ),
  ],
  [
    when('ServiceMissing', 'the only replica of procedures hangs', (platform) =>
      freeze(platform.pids('services/procedures/')),
    ),
    when('BusReconnecting', 'the nats-server is killed and restarts at once', (platform) => {
      kill(platform.pids('nats-server'));
      return () => {};
    }),
  ],
  [
    when('ReplicaMissing', 'one of two replicas of record-store hangs', (platform) =>
      freeze(platform.pids('services/record-store/').slice(0, 1)),
    ),
    when('StreamLost', 'the files of JetStream are removed, and the nats-server is killed', (platform) => {
      rmSync(join(platform.places.nats, 'jetstream'), { recursive: true });
      kill(platform.pids('nats-server'));
      return () => {};
    }),
  ],
  [
    when('AvailabilityBurnsFast', 'knowledge loses all its rights in MongoDB', ({ mongo }) =>
      restrict(mongo, 'knowledge', []),
    ),
  ],
  [
    when('LatencyBurnsFast', 'mongod hangs for 0.6 s of each 1.2 s', (platform) =>
      again(() => freeze(platform.pids('mongod')), { forMs: 600, everyMs: 1_200 }),
    ),
  ],
  [when('BusLost', 'the nats-server hangs', (platform) => freeze(platform.pids('nats-server')))],
  [
    when(
      'ConnectionsShort',
      'MongoDB makes no writes (fsyncLock), and a hundred callers create Collections',
      withoutWrites(100),
    ),
  ],
  [when('CallsRefused', 'the same, and seven hundred callers', withoutWrites(700))],
  [when('DatabaseFailing', 'mongod hangs', (platform) => freeze(platform.pids('mongod')))],
];
