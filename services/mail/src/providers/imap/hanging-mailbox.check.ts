import { addMailbox, type Principal } from '@action-platform/contracts';
import { aMember, testCertificate } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mail as mailService } from '../../service.ts';
import { FaultyProxy } from '../../test-support/faulty-proxy.ts';
import { describeOnDovecot, TestDovecot } from '../../test-support/test-dovecot.ts';
import { TestMail } from '../../test-support/test-mail.ts';

/** How long each measurement takes, in milliseconds, and how many calls at once wait for the mailbox that hangs. */
const MEASURED_MS = 30_000;
const CLIENTS = 50;
/** The pause between two calls to other mailboxes, in milliseconds. */
const PAUSE_MS = 20;

const mail = new TestMail();
const dovecot = new TestDovecot();
let proxy: FaultyProxy;

describeOnDovecot('a mailbox that hangs', () => {
  beforeAll(async () => {
    await dovecot.start();
    const certificate = await testCertificate();
    proxy = await FaultyProxy.start(certificate, dovecot.server.plainPort);
    dovecot.authority = certificate.authority;
    await mail.startWith(mailService);
  });
  afterAll(async () => {
    await mail.stop();
    proxy?.stop();
    await dovecot.stop();
  });

  test('leaves the others as they are: the output has the figures', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => mail.member()));
    await latencies(others, 2_000);
    const before = await latencies(others, MEASURED_MS);
    const member = await hangingMember();
    const until = performance.now() + MEASURED_MS;
    const outcomes: Record<string, number> = {};
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < until) {
        const { status, text } = await mail.send(member);
        const outcome =
          status === 200 ? (JSON.parse(text) as { result: { status: string } }).result.status : status;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    });
    const during = await latencies(others, MEASURED_MS);
    await Promise.all(clients);
    process.stdout.write(
      `p50 and p99 of the others before: ${before.join(', ')} ms; while it hangs: ${during.join(', ')} ms\n`,
    );
    process.stdout.write(`calls to the mailbox that hangs: ${JSON.stringify(outcomes)}\n`);
    expect(outcomes.drafted).toBeUndefined();
  }, 180_000);
});

/** A Member whose server takes connections and then hangs. */
async function hangingMember(): Promise<Principal> {
  const { workspaceId, userId, ...member } = aMember();
  const { connectionId } = await mail.platform.callAs('grants', addMailbox, {
    workspaceId,
    userId,
    email: 'ada@example.com',
    provider: 'imap',
    settings: { host: '127.0.0.1', port: proxy.port, login: 'hangs', ca: dovecot.authority },
    secret: dovecot.password,
  });
  proxy.hang();
  return { ...member, workspaceId, userId, connections: { mail_suite: connectionId } };
}

/** The median and the 99th percentile of calls to other mailboxes, in milliseconds. */
async function latencies(members: readonly Principal[], ms: number): Promise<string[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const begun = performance.now();
    const call = mail.send(members[calls.length % members.length]!).then(({ result }) => {
      expect(result.status).toBe('drafted');
      took.push(performance.now() - begun);
    });
    calls.push(call);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await Promise.all(calls);
  took.sort((one, other) => one - other);
  return [0.5, 0.99].map((part) => took[Math.floor(part * (took.length - 1))]!.toFixed(1));
}
