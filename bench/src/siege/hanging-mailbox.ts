import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../contenders/contender.ts';
import type { Platform } from '../contenders/platform.ts';
import { type Load, type LoadResult, startLoadGenerator } from '../load/load.ts';
import { type Measured, measure } from '../measure/measure.ts';
import { atLeast, atMost } from '../measure/requirement.ts';
import { spread } from '../measure/summary.ts';
import { tell } from '../output.ts';
import type { Findings } from '../run-command.ts';
import { callOf } from '../scenarios.ts';
import { loadText, usesText } from './callers.ts';
import { startImapStandIn } from './imap-stand-in.ts';

const REQUIRED = { slower: 1.1, percent: 100 };
const ROUNDS = 5;
const CLIENTS = 50;
const HANGS_SECONDS = 30;
const WARM_UP_SECONDS = 10;
/** After this time no call of the clients is left in the mailbox, in milliseconds. */
const RECOVERY_MS = 15_000;
/** The calls of the others: e-mails and listings of senders in other mailboxes. */
const OTHERS = { perSecond: 20, connections: 20 };
/** The calls of the clients while their mailbox works: as many as they make while it hangs and each waits for its answer. */
const WORKING = { perSecond: 15 };

/**
 * 50 clients of a mailbox that hangs, while others use theirs. Each round measures the others beside as many calls of the clients
 * before, and meanwhile: so the difference is that of the hanging mailbox, and not that of more calls.
 */
export async function hangingMailbox(
  platform: Platform,
  _options: object,
  { stops }: Bench,
): Promise<Findings> {
  const server = await startImapStandIn(stops);
  const mailbox = {
    provider: 'imap',
    host: '127.0.0.1',
    port: server.port,
    ca: server.authority,
    secret: 'secret',
  };
  const seconds = HANGS_SECONDS;
  const hanging = await mailLoad(platform, mailbox, { connections: CLIENTS, seconds, beginWithinMs: 1_000 });
  const others = await mailLoad(platform, { provider: 'local' }, { ...OTHERS, seconds });
  const [attacker, generator] = [startLoadGenerator(stops), startLoadGenerator(stops)];
  await generator({ ...others, seconds: WARM_UP_SECONDS });

  const beside = (load: Load) => Promise.all([measure(platform, others, generator), attacker(load)]);
  const rounds: { readonly before: Measured; readonly meanwhile: Measured; readonly clients: LoadResult }[] =
    [];
  const lines: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    tell(`  round ${round} of ${ROUNDS} …`);
    const [before, working] = await beside({ ...hanging, ...WORKING });
    server.hangs = true;
    const [meanwhile, clients] = await beside(hanging);
    server.hangs = false;
    await delay(RECOVERY_MS);
    rounds.push({ before, meanwhile, clients });
    lines.push(
      loadText('the others before', before.load),
      usesText('before', before.uses, seconds),
      loadText('clients before', working),
      loadText('the others meanwhile', meanwhile.load),
      usesText('meanwhile', meanwhile.uses, seconds),
      loadText('clients meanwhile', clients),
    );
  }
  const ratios = rounds.map(({ before, meanwhile }) => meanwhile.load.ms.p99 / before.load.ms.p99);
  const succeeded = rounds.map(({ meanwhile }) => (100 * meanwhile.load.calls) / meanwhile.load.attempts);
  const detail = `(${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`;
  const requirements = [
    atMost(
      'p99 of the others while a mailbox hangs',
      REQUIRED.slower,
      spread(ratios).median,
      '× that before',
      detail,
    ),
    atLeast('calls of the others that succeed', REQUIRED.percent, Math.min(...succeeded), '%'),
  ];
  return { requirements, text: lines.join('\n'), measured: { rounds } };
}

/** The calls of an Owner with this mailbox. */
async function mailLoad(
  platform: Platform,
  mailbox: object,
  load: Pick<Load, 'connections' | 'seconds' | 'beginWithinMs'>,
): Promise<Load> {
  const api = await platform.workspace();
  await platform.connectMailbox(api, mailbox);
  const emails = [{ to: ['ada@example.com'], subject: 'Hello', body: 'How are you?\n' }];
  const requests = [
    callOf(api, 'mail.send_email', emails),
    callOf(api, 'mail.list_authorized_senders', [{}]),
  ];
  return { origin: platform.origin, requests, ...load };
}
