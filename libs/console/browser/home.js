import { html, nothing } from 'lit';
import { execute, isOwner, me, operation, queryOf } from './api.js';
import { attentionFor } from './attention.js';
import { changeOf, sizeOf } from './spoken.js';
import './chart.js';
import { totals } from './chart.js';
import { grantsWith } from './choices.js';
import { nameOf } from './names.js';
import { ask, Page } from './page.js';
import { firstSteps } from './steps.js';
import { tableOf } from './table.js';
import { shown } from './text.js';
import { asCurl, card, icon, link, timeOf } from './view.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */

/** The most grants whose calls are counted one by one: those used last. */
const MOST_GRANTS = 12;
const DAY = 86_400_000;

/** A time, as so many days before now. @param {number} days */
const ago = (days) => new Date(Date.now() - days * DAY).toISOString();
/** The beginning of a day of the reader, so many days ago. @param {number} days */
const day = (days) => new Date(new Date().setHours(0, 0, 0, 0) - days * DAY).toISOString();

/** The title of each period, its counts, and those of the period before. */
const periods = () => ({
  hours: { title: '24 hours', from: ago(1), to: undefined, step: 'hour', before: [ago(2), ago(1)] },
  yesterday: { title: 'Yesterday', from: day(1), to: day(0), step: 'hour', before: [day(2), day(1)] },
  week: { title: '7 days', from: ago(7), to: undefined, step: 'day', before: [ago(14), ago(7)] },
  days: { title: '30 days', from: ago(30), to: undefined, step: 'day', before: [ago(60), ago(30)] },
});

/** What happened, who did it, and what needs this Member. */
class HomePage extends Page {
  periods = periods();

  async load() {
    const [buckets, former, usage, grants] = await Promise.all([
      this.count(this.grant),
      execute('audit.count_entries', this.counted(this.grant, this.period.before)),
      execute('record_store.get_usage'),
      grantsWith(),
    ]);
    this.loaded = { buckets, former: totals(former.buckets), usage, grants };
    const { from } = this.period;
    const used = grants
      .filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= from)
      .toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''));
    const counted = used
      .slice(0, MOST_GRANTS)
      .map(async (grant) => ({ grant, sums: totals(await this.count(grant.id)) }));
    const [attention, steps, ...byGrant] = await Promise.all([
      attentionFor(grants),
      firstSteps(grants, usage),
      ...counted,
    ]);
    this.loaded = { ...this.loaded, attention, steps, byGrant, others: used.length - byGrant.length };
  }

  get period() {
    const name = this.query.get('period') ?? 'hours';
    return Object.hasOwn(this.periods, name)
      ? this.periods[/** @type {'hours'} */ (name)]
      : this.periods.hours;
  }

  /** The grant whose calls are shown; empty for those of everybody. */
  get grant() {
    return this.query.get('grant') ?? '';
  }

  /** The input that counts the calls of a grant, or of everybody. @param {string} grant @param {readonly (string | undefined)[]} [span] */
  counted(grant, [from, to] = [this.period.from, this.period.to]) {
    return { from, to, step: this.period.step, grant_id: grant || undefined };
  }

  /** @param {string} grant @returns {Promise<import('./chart.js').Bucket[]>} */
  async count(grant) {
    return (await execute('audit.count_entries', this.counted(grant))).buckets;
  }

  head() {
    const hour = new Date().getHours();
    const greeting = hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
    const period = (/** @type {[string, { title: string }]} */ [name, { title }]) =>
      html`<button type="button" aria-pressed=${title === this.period.title}
        @click=${() => ask({ period: name, grant: this.grant })}>${title}</button>`;
    return {
      title: html`${greeting}, ${shown((me.displayName ?? me.userId).split(' ')[0])}`,
      about:
        this.grant === ''
          ? `What ${isOwner() ? 'people, agents and jobs' : 'you and your grants'} did in this Workspace.`
          : html`The calls of ${nameOf('grant', this.grant)}. <a href="/console?period=${this.query.get('period') ?? ''}">Show all calls</a>`,
      actions: html`<span class="segments" role="group" aria-label="Period">${Object.entries(this.periods).map(period)}</span>`,
    };
  }

  /** The address of the calls that a number counts. @param {string} grant @param {string} outcome */
  callsOf(grant, outcome) {
    const { from, to } = this.period;
    return `${isOwner() ? 'audit' : 'requests'}?${queryOf({ grant_id: grant, outcome, from, to })}`;
  }

  content() {
    const { buckets, former, usage, attention, steps } = this.loaded;
    const sums = totals(buckets);
    const legend = html`<span class="legend"><span class="done">done</span><span class="refused">refused</span><span class="failed">failed</span></span>`;
    return html`${steps ?? nothing}
      <div class="tiles">
        ${this.tile('Calls', 'activity', sums[0], changeOf(sums[0], former[0]), '')}
        ${this.tile('Refused', 'ban', sums[1], shareOf(sums[1], sums[0]), 'refused', sums[1] ? 'warn-text' : '')}
        ${this.tile('Failed', 'triangle-alert', sums[2], shareOf(sums[2], sums[0]), 'failed', sums[2] ? 'bad-text' : '')}
        <div class="card tile"><span class="label">${icon('hard-drive')}Storage</span><span class="value num">${sizeOf(usage.stored_bytes)}</span>
          <small>of ${sizeOf(usage.quota)}</small><meter aria-label="Used part of the quota" max=${usage.quota} value=${usage.stored_bytes}></meter></div>
      </div>
      ${card(`Calls by ${this.period.step}`, html`<call-chart .buckets=${buckets} .step=${this.period.step}></call-chart>${asCurl(operation('audit.count_entries', this.counted(this.grant)))}`, { hint: this.grant === '' ? 'all callers' : nameOf('grant', this.grant), end: legend })}
      <div class="two">
        ${card('Most active', this.byGrant(), { end: link('grants', 'All grants'), flush: true })}
        ${card('Needs you', attention === undefined ? html`<div class="body"><p>Loading …</p></div>` : attention.view, { hint: attention?.count, flush: true })}
      </div>`;
  }

  /** @param {string} label @param {string} image @param {number | undefined} value @param {string} note @param {string} outcome @param {string} [look] */
  tile(label, image, value, note, outcome, look = '') {
    return html`<a class="card tile" href="/console/${this.callsOf(this.grant, outcome)}"><span class="label">${icon(image)}${label}</span>
      <span class="value num ${look}">${value}</span><small>${note}</small></a>`;
  }

  /** The grants in use, those with most calls first, and all other calls last: those of people, who use this console as well. */
  byGrant() {
    /** @type {{ byGrant?: { grant: Grant, sums: number[] }[], others: number, buckets: import('./chart.js').Bucket[] }} */
    const { byGrant, others, buckets } = this.loaded;
    if (byGrant === undefined) return html`<div class="body"><p>Loading …</p></div>`;
    const rows = byGrant
      .toSorted((one, other) => (other.sums[0] ?? 0) - (one.sums[0] ?? 0))
      .map(({ grant, sums }) => ({ grant, sums }));
    const rest = totals(buckets).map((sum, index) =>
      byGrant.reduce((left, { sums }) => Math.max(0, left - (sums[index] ?? 0)), sum),
    );
    const all = this.grant === '' ? [...rows, { grant: undefined, sums: rest, others }] : rows;
    return tableOf('Calls by caller', this.columns(), all);
  }

  /** @returns {import('./table.js').Column[]} */
  columns() {
    const period = this.query.get('period') ?? '';
    const number =
      (/** @type {number} */ index, /** @type {string} */ outcome, /** @type {string} */ look) =>
      (/** @type {{ grant?: Grant, sums: number[] }} */ { grant, sums }) =>
        grant && sums[index]
          ? html`<a class="num ${look}" href="/console/${this.callsOf(grant.id, outcome)}">${sums[index]}</a>`
          : html`<span class="num">${sums[index]}</span>`;
    return [
      [
        'Caller',
        ({ grant, others = 0 }) =>
          grant
            ? html`<strong><a href="/console?${queryOf({ period, grant: grant.id })}">${shown(grant.name ?? grant.id)}</a></strong><small>${grant.kind} grant, ${nameOf('member', grant.userId)}</small>`
            : html`<strong>${others > 0 ? `${others} other grants, and sessions` : 'Without a grant'}</strong><small>${isOwner() ? 'people' : 'you'}, this console included</small>`,
      ],
      ['Last call', ({ grant }) => timeOf(grant?.lastUsedAt)],
      ['Calls', number(0, '', ''), 'end-cell'],
      ['Refused', number(1, 'refused', 'warn-text'), 'end-cell'],
      ['Failed', number(2, 'failed', 'bad-text'), 'end-cell'],
    ];
  }
}
customElements.define('home-page', HomePage);

/** A share of all calls. @param {number} [part] @param {number} [all] */
const shareOf = (part = 0, all = 0) =>
  all === 0 ? 'of no calls' : `${Number(((100 * part) / all).toFixed(1))} % of calls`;
