/**
 * `npm run e2e -- graph`: measures in a tenant what no page of Microsoft's documentation promises, and compares it with what the
 * platform relies on.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mailProviders } from '@action-platform/contracts';
import { FILTER_LAG_MS } from '../providers/graph/graph-provider.ts';
import { type Measured, measureTenant } from './measure-tenant.ts';

const usage = `npm run e2e -- graph --email E --tenant T --client-id C --secret-file F [options]

Creates drafts in a mailbox of Microsoft 365, measures how soon the filter finds each, and removes them.

  --email E         the address of a mailbox that the application may write in
  --tenant T        the id or the domain of the tenant
  --client-id C     the id of the registered application
  --secret-file F   a file with its client secret
  --drafts 20       how many drafts
  --login-url U     the address for tokens, of a national cloud
  --graph-url U     the address of Microsoft Graph, of a national cloud`;

/** The most drafts of a run, and the time for each. */
const DRAFTS_MAX = 200;
const DRAFT_MS = 2 * FILTER_LAG_MS + 10_000;

try {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      tenant: { type: 'string' },
      'client-id': { type: 'string' },
      'secret-file': { type: 'string' },
      drafts: { type: 'string', default: '20' },
      'login-url': { type: 'string' },
      'graph-url': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { email, tenant, 'client-id': client_id, 'secret-file': secretFile } = values;
  const drafts = Number(values.drafts);
  if (values.help) {
    process.stdout.write(`${usage}\n`);
  } else if (!email || !tenant || !client_id || !secretFile) {
    throw new Error('--email, --tenant, --client-id and --secret-file are required; --help explains them.');
  } else if (!Number.isInteger(drafts) || drafts < 1 || drafts > DRAFTS_MAX) {
    throw new Error(`--drafts must be a whole number from 1 to ${DRAFTS_MAX}.`);
  } else {
    const [login_url, graph_url] = [values['login-url'], values['graph-url']];
    const settings = mailProviders.graph.settings.parse({ tenant, client_id, login_url, graph_url });
    const secret = readFileSync(secretFile, 'utf8').trim();
    const account = { accountId: 'e2e', workspaceId: 'e2e', email, settings, secret };
    process.exitCode = report(await measureTenant(account, drafts, AbortSignal.timeout(drafts * DRAFT_MS)));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Prints what was measured; returns the exit code: 1 when the platform may not rely on it. */
function report({ lagsMs, hasSameIds, isFoundAfterMove }: Measured): number {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const [median, most] = [lagsMs[Math.floor(lagsMs.length / 2)]!, lagsMs.at(-1)!];
  const answer = (holds: boolean) => (holds ? 'yes' : 'NO');
  process.stdout.write(
    [
      `The filter found ${lagsMs.length} drafts after ${seconds(median)} (median) and ${seconds(most)} (most).`,
      `The platform makes no second draft up to ${seconds(FILTER_LAG_MS)}: ${answer(most <= FILTER_LAG_MS)}`,
      `Creation and search name the same id: ${answer(hasSameIds)}`,
      `A draft in Deleted Items is found with its id: ${answer(isFoundAfterMove)}`,
      '',
    ].join('\n'),
  );
  return most <= FILTER_LAG_MS && hasSameIds && isFoundAfterMove ? 0 : 1;
}
