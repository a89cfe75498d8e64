import { html, nothing } from 'lit';
import { execute, get, hasMail, isOwner, operation, queryOf } from './api.js';
import { barChart, totals } from './chart.js';
import { grantsWith } from './choices.js';
import { pageOf } from './listing.js';
import { asCurl, ask, factList, link, listOf, localTime, outside, Page, problem } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */
/** @typedef {import('./api.js').Request} Request */
/** @typedef {'approvals' | 'procedures' | 'entries' | 'senders' | 'endpoints'} Rows the names of rows in answers */

/** The most grants whose calls are counted one by one. */
const MOST_GRANTS = 20;
/** The most entries of a kind that waits; a link leads to the others. */
const MOST = 10;

/** A time, as so many days before now. @param {number} days */
const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
const day = (/** @type {number} */ days) => ago(days).slice(0, 10);

/** The calls of a time, and everything that waits for this Member. */
class HomePage extends Page {
  /** The title of each period of the chart, and the counts that it asks for. */
  periods = {
    hours: { title: 'Last 24 hours', from: ago(1), to: undefined, step: 'hour' },
    yesterday: { title: 'Yesterday (UTC)', from: day(1), to: day(1), step: 'hour' },
    days: { title: 'Last 30 days', from: day(29), to: day(0), step: 'day' },
  };

  async load() {
    const grants = await grantsWith();
    const { from } = this.period;
    const count = async (/** @type {string} */ grant) =>
      (await execute('audit.count_entries', this.counted(grant))).buckets;
    const used = grants
      .filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= from)
      .toSorted((one, other) => (one.lastUsedAt ?? '').localeCompare(other.lastUsedAt ?? '') * -1);
    const [buckets, ...ofGrants] = await Promise.all([
      count(this.grant),
      ...used.slice(0, MOST_GRANTS).map(async (grant) => ({ grant, totals: totals(await count(grant.id)) })),
    ]);
    this.loaded = { grants, buckets, ofGrants, isCut: used.length > MOST_GRANTS };
    this.loaded.waiting = await waitingFor(grants);
    if (isOwner()) this.loaded.usage = await execute('record_store.get_usage');
    this.requestUpdate();
  }

  get period() {
    const name = this.query.get('period');
    return this.periods[name === 'yesterday' || name === 'days' ? name : 'hours'];
  }

  /** The grant whose calls are shown; empty for those of everybody. */
  get grant() {
    return this.query.get('grant') ?? '';
  }

  /** The input that counts the calls of a grant, or of everybody. @param {string} grant */
  counted(grant) {
    const { from, to, step } = this.period;
    return { from, to, step, grant_id: grant || undefined };
  }

  /** The numbers of calls, of those refused and of those failed, as links to them. @param {number[]} sums @param {string} grant */
  numbers(sums, grant) {
    const { from, to } = this.period;
    const page = isOwner() ? 'audit' : 'requests';
    return sums.map((sum, index) => {
      const outcome = ['', 'refused', 'failed'][index];
      return link(`${page}?${queryOf({ grant_id: grant, outcome, from, to })}`, sum);
    });
  }

  content() {
    const { grants, buckets, waiting, usage } = this.loaded;
    const { title } = this.period;
    const period = this.query.get('period') ?? '';
    const chosen = grants.find((/** @type {Grant} */ { id }) => id === this.grant);
    const whose = isOwner() ? 'all calls of the Workspace' : 'all your calls';
    const of = this.grant === '' ? whose : `calls of ${chosen?.name ?? this.grant}`;
    return html`<p class="pages">${Object.entries(this.periods).map(
      ([name, { title: label }]) => html`<button type="button" aria-pressed=${label === title}
        @click=${() => ask({ period: name, grant: this.grant })}>${label}</button>`,
    )}</p>
      <h2>By grant</h2>
      ${this.byGrant()}
      <h2>By ${this.period.step}</h2>
      ${this.grant === '' ? nothing : html`<p><a href="/console?period=${period}">Show ${whose}</a></p>`}
      ${barChart(html`${title}, ${shown(of)}`, buckets, this.numbers(totals(buckets), this.grant))}
      ${asCurl(operation('audit.count_entries', this.counted(this.grant)))}
      <h2>Waiting</h2>
      ${waiting === undefined ? html`<p>Loading …</p>` : factList(waiting)} ${usage === undefined ? nothing : quota(usage)}`;
  }

  /** The grants in use, those with refusals first, and all other calls last: those of people, who use this console as well. */
  byGrant() {
    /** @type {{ buckets: import('./chart.js').Bucket[], ofGrants: { grant: Grant, totals: number[] }[], isCut: boolean }} */
    const { buckets, ofGrants, isCut } = this.loaded;
    const period = this.query.get('period') ?? '';
    const sorted = ofGrants.toSorted((one, other) => badOf(other.totals) - badOf(one.totals));
    const rows = sorted.map(({ grant, totals }) => ({
      name: html`<a href="/console?${queryOf({ period, grant: grant.id })}">${shown(grant.name ?? grant.id)}</a>`,
      member: shown(grant.userId),
      last: localTime(grant.lastUsedAt),
      numbers: this.numbers(totals, grant.id),
    }));
    const others = totals(buckets).map((sum, index) =>
      ofGrants.reduce((rest, { totals }) => Math.max(0, rest - (totals[index] ?? 0)), sum),
    );
    const name = isCut
      ? `Without one of these ${MOST_GRANTS}, the last used`
      : 'Without a grant, this console included';
    const rest = { name, member: isOwner() ? 'everybody' : 'you', last: '–', numbers: others };
    return tableOf('Calls by grant', columns, this.grant === '' ? [...rows, rest] : rows);
  }
}
customElements.define('home-page', HomePage);

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Grant', ({ name }) => name],
  ['Member', ({ member }) => member],
  ['Last used', ({ last }) => last],
  .../** @type {import('./table.js').Column[]} */ (
    ['Calls', 'Refused', 'Failed'].map((title, index) => [title, ({ numbers }) => numbers[index]])
  ),
];

/** The calls that were refused or failed. @param {number[]} totals */
const badOf = ([, refused = 0, failed = 0]) => refused + failed;

/** @param {{ quota: number, stored_bytes: number }} usage */
const quota = ({ quota, stored_bytes: stored }) => html`<h2>Quota</h2>
  ${factList([['Stored', `${stored} of ${quota} bytes`]])}
  <meter aria-label="Used part of the quota" max=${quota} value=${stored}></meter>`;

/** Everything that waits for this Member: each kind with its entries, or why it could not be fetched. @param {Grant[]} grants */
async function waitingFor(grants) {
  const pending = { status: 'pending', limit: String(MOST) };
  const kinds = [
    waiting('Calls that wait for approval', get('/api/v1/approvals', pending), 'approvals'),
    waiting('Draft Procedures', operation('procedures.list_drafts', { limit: MOST }), 'procedures'),
  ];
  if (hasMail())
    kinds.push(
      waiting('E-mail drafts', operation('mail.list_send_history'), 'entries'),
      waiting('Mailboxes that are not available', operation('mail.list_authorized_senders'), 'senders'),
    );
  if (isOwner()) kinds.push(waiting('Webhooks that fail', get('/api/v1/webhook-endpoints'), 'endpoints'));
  const ends = grants.filter(({ status, expiresAt }) => status === 'active' && expiresAt < ago(-14));
  const stopped = grants.filter(({ status }) => status === 'stopped');
  /** @type {(readonly [string, unknown])[]} */
  const ofGrants = [
    [
      'Grants that end within 14 days',
      listOf(ends, (grant) => [grantLink(grant), ' ends ', localTime(grant.expiresAt)]),
    ],
    [
      'Grants that stopped',
      listOf(stopped, (grant) => [grantLink(grant), ' ', grant.stoppedReason.replaceAll('_', ' ')]),
    ],
  ];
  return [...(await Promise.all(kinds)), ...ofGrants];
}

/** @param {string} title @param {Request} request @param {Rows} name */
async function waiting(title, request, name) {
  const { entry, waits = () => true, page } = entryOf[name];
  const shownOf = (/** @type {{ rows: any[], next: string | null }} */ { rows, next }) => {
    const found = rows.filter(waits);
    const isCut = next !== null || found.length > MOST;
    return html`${listOf(found.slice(0, MOST), entry)} ${isCut ? html`<p>The first ${MOST}: ${link(page, 'all')}</p>` : nothing}`;
  };
  return /** @type {const} */ ([
    title,
    await pageOf({ request, rows: name }, undefined).then(shownOf).catch(problem),
  ]);
}

/** How the rows of each kind are shown, and which of them wait. @type {Record<Rows, { page: string, entry: (row: any) => unknown, waits?: (row: any) => boolean }>} */
const entryOf = {
  approvals: {
    page: 'approvals',
    entry: (row) =>
      html`${link(`approvals/${row.id}`, shown(row.operation))} for ${shown(row.userId)}, ${localTime(row.requestedAt)}`,
  },
  procedures: {
    page: 'procedures',
    entry: ({ slug, title }) => link(`procedures/${slug}`, shown(title)),
  },
  entries: {
    page: 'mail',
    entry: ({ view, logged_at: at }) => [
      view.draft_url ? outside(view.draft_url, 'Open the draft') : 'Draft',
      ' ',
      shown(view.subject),
      ', ',
      localTime(at),
    ],
    waits: ({ view }) => view.outcome === 'drafted',
  },
  senders: {
    page: 'mail',
    entry: ({ email }) => link('mail', shown(email)),
    waits: ({ available }) => !available,
  },
  endpoints: {
    page: 'webhooks',
    entry: ({ id, url, failingSince: since }) => [
      link(`webhooks/${id}`, shown(url)),
      since ? ' fails since ' : ' is disabled',
      since && localTime(since),
    ],
    waits: ({ failingSince, status }) => failingSince !== null || status === 'disabled',
  },
};

/** @param {Grant} grant */
const grantLink = ({ kind, name, id }) => link(`grants?kind=${kind}`, shown(name ?? id));
