import { html } from 'lit';
import { call, execute, get, hasMail, isOwner } from './api.js';
import { barChart, totals } from './chart.js';
import { ask, factList, localTime, outside, Page, problem } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

const DAY_MS = 86_400_000;
/** The most grants whose calls are counted one by one. */
const MOST_GRANTS = 20;

/** @param {number} ago in days @returns the day of UTC */
const day = (ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** The periods of the chart: what each is called, and what it asks for. */
const periods = {
  hours: {
    title: 'Last 24 hours',
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: undefined,
    step: 'hour',
  },
  yesterday: { title: 'Yesterday (UTC)', from: day(1), to: day(1), step: 'hour' },
  days: { title: 'Last 30 days', from: day(29), to: day(0), step: 'day' },
};

/** What happened, and what waits. */
class HomePage extends Page {
  /** @override */
  async load() {
    const grants = await newestGrants();
    const { from, to, step } = this.period;
    const count = async (/** @type {string | undefined} */ id) =>
      (await execute('audit.count_entries', { from, to, step, grant_id: id })).buckets;
    const used = grants.filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= from);
    const counted = used.slice(0, MOST_GRANTS);
    const [buckets, ofGrants] = await Promise.all([
      count(this.query.get('grant') ?? undefined),
      Promise.all(counted.map(async (grant) => ({ grant, totals: totals(await count(grant.id)) }))),
    ]);
    this.loaded = { grants, buckets, ofGrants, isCut: used.length > counted.length };
    this.loaded.waiting = await loadWaiting(grants);
    if (isOwner()) this.loaded.usage = await execute('record_store.get_usage');
    this.requestUpdate();
  }

  get period() {
    const name = this.query.get('period') ?? 'hours';
    return name === 'yesterday' || name === 'days' ? periods[name] : periods.hours;
  }

  /** @override */
  content() {
    const { grants, buckets, ofGrants, isCut, waiting, usage } = this.loaded;
    const { title, from, to } = this.period;
    const grant = this.query.get('grant') ?? '';
    const calls = isOwner() ? '/console/audit' : '/console/requests';
    /** @param {string} id @param {string} outcome */
    const address = (id, outcome) =>
      `${calls}?${new URLSearchParams({ grant_id: id, from, ...(to && { to }), ...(outcome && { outcome }) })}`;
    /** @type {import('./table.js').Column[]} */
    const columns = [
      [
        'Grant',
        (row) => html`<a href=${address(row.grant.id, '')}>${shown(row.grant.name ?? row.grant.id)}</a>`,
      ],
      ['Member', (row) => shown(row.grant.userId)],
      ['Last used', (row) => localTime(row.grant.lastUsedAt)],
      ['Calls', (row) => row.totals[0]],
      ['Refused', (row) => html`<a href=${address(row.grant.id, 'refused')}>${row.totals[1]}</a>`],
      ['Failed', (row) => html`<a href=${address(row.grant.id, 'failed')}>${row.totals[2]}</a>`],
    ];
    return html`<h2>Calls</h2>
      <p class="pages">${Object.entries(periods).map(
        ([name, { title }]) => html`<button type="button" aria-pressed=${title === this.period.title}
          @click=${() => ask({ period: name, grant })}>${title}</button>`,
      )}
      <label>Of <select @change=${(/** @type {any} */ event) => ask({ period: this.query.get('period') ?? '', grant: event.target.value })}>
        <option value="">${isOwner() ? 'everybody' : 'you and your grants'}</option>
        ${grants.map((/** @type {Grant} */ { id, name }) => html`<option value=${id} ?selected=${id === grant}>${shown(name ?? id)}</option>`)}
      </select></label></p>
      ${barChart(title, buckets)}
      <h2>By grant</h2>
      ${ofGrants.length === 0 ? html`<p>No grant was used in this time.</p>` : tableOf('Calls by grant', columns, ofGrants)}
      ${isCut ? html`<p>These are the ${MOST_GRANTS} newest of them.</p>` : ''}
      <h2>Waiting</h2>
      ${waiting === undefined ? html`<p>Loading …</p>` : waitingList(waiting)}
      ${
        usage
          ? html`<h2>Quota</h2>${factList([['Stored', `${usage.stored_bytes} of ${usage.quota} bytes`]])}
        <meter aria-label="Used part of the quota" max=${usage.quota} value=${usage.stored_bytes}></meter>`
          : ''
      }`;
  }
}
customElements.define('home-page', HomePage);

/** The newest 200 grants of each kind. @returns {Promise<Grant[]>} */
async function newestGrants() {
  const of = async (/** @type {string} */ kind) =>
    (await call(get(`/api/v1/${kind}-grants`, { limit: '200' }))).grants;
  return (await Promise.all(['routine', 'operation'].map(of))).flat();
}

const FORTNIGHT_MS = 14 * 86_400_000;
/** The most entries of a kind. */
const MOST = 10;

/** What waits for this Member: each kind with its entries, or why it could not be fetched. @param {Grant[]} grants */
async function loadWaiting(grants) {
  const kinds = { ...everybodys(grants), ...(isOwner() && { 'Webhooks that fail': failingWebhooks() }) };
  return await Promise.all(
    Object.entries(kinds).map(async ([title, found]) => {
      const failed = (/** @type {unknown} */ failure) => [problem(failure)];
      return { title, entries: await found.catch(failed) };
    }),
  );
}

/** @param {Grant[]} grants @returns {Record<string, Promise<unknown[]>>} */
function everybodys(grants) {
  const soon = new Date(Date.now() + FORTNIGHT_MS).toISOString();
  const ends = grants.filter(({ status, expiresAt }) => status === 'active' && expiresAt < soon);
  const stopped = grants.filter(({ status }) => status === 'stopped');
  /** @param {Grant} grant @param {unknown} why */
  const entry = ({ kind, name, id }, why) =>
    html`<a href="/console/grants?kind=${kind}">${shown(name ?? id)}</a> ${why}`;
  return {
    'Calls that wait for approval': approvals(),
    ...(hasMail() && { 'E-mail drafts': drafts(), 'Mailboxes that are not available': senders() }),
    'Draft Procedures': procedures(),
    'Grants that end within 14 days': Promise.resolve(
      ends.map((grant) => entry(grant, html`ends ${localTime(grant.expiresAt)}`)),
    ),
    'Grants that stopped': Promise.resolve(
      stopped.map((grant) => entry(grant, grant.stoppedReason?.replaceAll('_', ' '))),
    ),
  };
}

async function approvals() {
  const { approvals } = await call(get('/api/v1/approvals', { status: 'pending', limit: String(MOST) }));
  return approvals.map(
    (
      /** @type {import('@action-platform/contracts').ListedApproval} */ {
        id,
        operation,
        userId,
        requestedAt,
      },
    ) =>
      html`<a href="/console/approvals/${id}">${shown(operation)}</a> for ${shown(userId)}, ${localTime(requestedAt)}`,
  );
}

async function drafts() {
  const { entries } = await execute('mail.list_send_history');
  return entries
    .filter((/** @type {any} */ { view }) => view.draft_url)
    .slice(0, MOST)
    .map(
      (/** @type {any} */ { view, logged_at: at }) =>
        html`${outside(view.draft_url, 'Open the draft')} ${shown(view.subject)}, ${localTime(at)}`,
    );
}

async function senders() {
  const { senders } = await execute('mail.list_authorized_senders');
  return senders
    .filter((/** @type {any} */ { available }) => !available)
    .map((/** @type {any} */ { email }) => html`<a href="/console/mail">${shown(email)}</a>`);
}

async function procedures() {
  const { procedures } = await execute('procedures.list_drafts', { limit: MOST });
  return procedures.map(
    (/** @type {any} */ { slug, title }) => html`<a href="/console/procedures/${slug}">${shown(title)}</a>`,
  );
}

async function failingWebhooks() {
  const { endpoints } = await call(get('/api/v1/webhook-endpoints'));
  return endpoints
    .filter((/** @type {any} */ { failingSince, status }) => failingSince !== null || status === 'disabled')
    .map(
      (/** @type {any} */ { id, url, failingSince }) =>
        html`<a href="/console/webhooks/${id}">${shown(url)}</a> ${failingSince ? html`fails since ${localTime(failingSince)}` : 'is disabled'}`,
    );
}

/** Shows what waits. @param {Awaited<ReturnType<typeof loadWaiting>>} waiting */
const waitingList = (waiting) =>
  factList(
    waiting.map(({ title, entries }) => [
      title,
      entries.length === 0
        ? 'Nothing'
        : html`<ul>${entries.map((/** @type {unknown} */ entry) => html`<li>${entry}</li>`)}</ul>`,
    ]),
  );
