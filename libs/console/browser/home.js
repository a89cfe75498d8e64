import { html, nothing } from 'lit';
import { call, execute, get, hasMail, isOwner, operation } from './api.js';
import { barChart, totals } from './chart.js';
import { asCurl, ask, factList, listOf, localTime, outside, Page, problem } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

const DAY_MS = 86_400_000;
/** The most grants whose calls are counted one by one. */
const MOST_GRANTS = 20;
/** The most entries of a kind that waits. */
const MOST = 10;

/** A time, as so many days before now. @param {number} days */
const ago = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
const day = (/** @type {number} */ days) => ago(days).slice(0, 10);

/** The periods of the chart: what each is called, and what it asks for. */
const periodsOfNow = () => ({
  hours: { title: 'Last 24 hours', from: ago(1), to: undefined, step: 'hour' },
  yesterday: { title: 'Yesterday (UTC)', from: day(1), to: day(1), step: 'hour' },
  days: { title: 'Last 30 days', from: day(29), to: day(0), step: 'day' },
});

/** The calls of a time, and everything that waits for this Member. */
class HomePage extends Page {
  periods = periodsOfNow();

  /** @override */
  async load() {
    const grants = await newestGrants();
    const { from } = this.period;
    const count = async (/** @type {string} */ grant) =>
      (await execute('audit.count_entries', this.counted(grant))).buckets;
    const used = grants.filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= from);
    const [buckets, ...ofGrants] = await Promise.all([
      count(this.query.get('grant') ?? ''),
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

  /** The input that counts the calls of a grant, or of everybody. @param {string} grant */
  counted(grant) {
    const { from, to, step } = this.period;
    return { from, to, step, grant_id: grant || undefined };
  }

  /** @override */
  content() {
    const { grants, buckets, ofGrants, isCut, waiting, usage } = this.loaded;
    const { title, from, to } = this.period;
    const asked = { period: this.query.get('period') ?? '', grant: this.query.get('grant') ?? '' };
    const choose = (/** @type {any} */ { target }) => ask({ ...asked, grant: target.value });
    /** @param {Grant} grant @param {unknown} label @param {object} [more] */
    const calls = ({ id }, label, more) => {
      const query = new URLSearchParams({ grant_id: id, from, ...(to && { to }), ...more });
      return html`<a href="/console/${isOwner() ? 'audit' : 'requests'}?${query}">${label}</a>`;
    };
    /** @type {import('./table.js').Column[]} */
    const columns = [
      ['Grant', ({ grant }) => calls(grant, shown(grant.name ?? grant.id))],
      ['Member', ({ grant }) => shown(grant.userId)],
      ['Last used', ({ grant }) => localTime(grant.lastUsedAt)],
      ['Calls', ({ totals }) => totals[0]],
      ['Refused', ({ grant, totals }) => calls(grant, totals[1], { outcome: 'refused' })],
      ['Failed', ({ grant, totals }) => calls(grant, totals[2], { outcome: 'failed' })],
    ];
    return html`<h2>Calls</h2>
      <p class="pages">${Object.entries(this.periods).map(
        ([period, { title: label }]) => html`<button type="button" aria-pressed=${label === title}
          @click=${() => ask({ ...asked, period })}>${label}</button>`,
      )}
      <label>Of <select @change=${choose}>
        <option value="">${isOwner() ? 'everybody' : 'you and your grants'}</option>
        ${grants.map((/** @type {Grant} */ { id, name }) => html`<option value=${id} ?selected=${id === asked.grant}>${shown(name ?? id)}</option>`)}
      </select></label></p>
      ${barChart(title, buckets)}
      ${asCurl(operation('audit.count_entries', this.counted(asked.grant)))}
      <h2>By grant</h2>
      ${ofGrants.length === 0 ? html`<p>No grant was used in this time.</p>` : tableOf('Calls by grant', columns, ofGrants)}
      ${isCut ? html`<p>These are the ${MOST_GRANTS} newest of them.</p>` : nothing}
      <h2>Waiting</h2>
      ${waiting === undefined ? html`<p>Loading …</p>` : factList(waiting)} ${usage === undefined ? nothing : quota(usage)}`;
  }
}
customElements.define('home-page', HomePage);

/** @param {{ quota: number, stored_bytes: number }} usage */
const quota = ({ quota, stored_bytes: stored }) => html`<h2>Quota</h2>
  ${factList([['Stored', `${stored} of ${quota} bytes`]])}
  <meter aria-label="Used part of the quota" max=${quota} value=${stored}></meter>`;

/** The newest 200 grants of each kind. @returns {Promise<Grant[]>} */
async function newestGrants() {
  const newest = (/** @type {string} */ kind) => call(get(`/api/v1/${kind}-grants`, { limit: '200' }));
  return (await Promise.all(['routine', 'operation'].map(newest))).flatMap(({ grants }) => grants);
}

/** Everything that waits for this Member: each kind with its entries, or why it could not be fetched. @param {Grant[]} grants */
async function waitingFor(grants) {
  const ends = grants.filter(({ status, expiresAt }) => status === 'active' && expiresAt < ago(-14));
  const stopped = grants.filter(({ status }) => status === 'stopped');
  /** @param {Grant} grant */
  const link = ({ kind, name, id }) => html`<a href="/console/grants?kind=${kind}">${shown(name ?? id)}</a>`;
  /** @type {Record<string, () => Promise<unknown>>} */
  const kinds = {
    'Calls that wait for approval': approvals,
    ...(hasMail() && { 'E-mail drafts': drafts, 'Mailboxes that are not available': senders }),
    'Draft Procedures': procedures,
    'Grants that end within 14 days': async () =>
      listOf(ends, (grant) => html`${link(grant)} ends ${localTime(grant.expiresAt)}`),
    'Grants that stopped': async () =>
      listOf(stopped, (grant) => html`${link(grant)} ${grant.stoppedReason.replaceAll('_', ' ')}`),
    ...(isOwner() && { 'Webhooks that fail': failingWebhooks }),
  };
  return await Promise.all(
    Object.entries(kinds).map(
      async ([title, load]) => /** @type {const} */ ([title, await load().catch(problem)]),
    ),
  );
}

async function approvals() {
  const { approvals } = await call(get('/api/v1/approvals', { status: 'pending', limit: String(MOST) }));
  return listOf(
    approvals,
    ({ id, operation, userId, requestedAt }) =>
      html`<a href="/console/approvals/${id}">${shown(operation)}</a> for ${shown(userId)}, ${localTime(requestedAt)}`,
  );
}

async function drafts() {
  /** @type {{ entries: any[] }} */
  const { entries } = await execute('mail.list_send_history');
  return listOf(
    entries.filter(({ view }) => view.draft_url).slice(0, MOST),
    ({ view, logged_at: at }) =>
      html`${outside(view.draft_url, 'Open the draft')} ${shown(view.subject)}, ${localTime(at)}`,
  );
}

async function senders() {
  /** @type {{ senders: any[] }} */
  const { senders } = await execute('mail.list_authorized_senders');
  const missing = senders.filter(({ available }) => !available);
  return listOf(missing, ({ email }) => html`<a href="/console/mail">${shown(email)}</a>`);
}

async function procedures() {
  const { procedures } = await execute('procedures.list_drafts', { limit: MOST });
  return listOf(
    procedures,
    ({ slug, title }) => html`<a href="/console/procedures/${slug}">${shown(title)}</a>`,
  );
}

async function failingWebhooks() {
  /** @type {{ endpoints: any[] }} */
  const { endpoints } = await call(get('/api/v1/webhook-endpoints'));
  return listOf(
    endpoints.filter(({ failingSince, status }) => failingSince !== null || status === 'disabled'),
    ({ id, url, failingSince: since }) =>
      html`<a href="/console/webhooks/${id}">${shown(url)}</a> ${since ? html`fails since ${localTime(since)}` : 'is disabled'}`,
  );
}
