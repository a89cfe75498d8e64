import { html } from 'lit';
import { totals } from '../../elements/chart.js';
import { link } from '../../elements/links.js';
import { nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { tableOf } from '../../elements/rows.js';
import { asCurl, card, icon, timeOf, titled } from '../../elements/view.js';
import { execute, isOwner, me, operation, queryOf } from '../../platform/api.js';
import { grantsWith } from '../../platform/listing.js';
import { changeOf, DAY, dayOf, sizeOf } from '../../text/spoken.js';
import { shown } from '../../text/text.js';
import { attentionFor, firstSteps } from './attention.js';
import { usedIn } from './steps.js';

/** @typedef {import('@action-platform/contracts/resources').Grant} Grant */
/** @typedef {{ grant?: Grant, sums: number[] }} Caller */

/** The most grants whose calls are counted one by one: those of `usedIn` that come first. */
const MOST_GRANTS = 12;

/** A time before now. @param {number} days */
const ago = (days) => new Date(Date.now() - days * DAY).toISOString();

/** The title of each period, its counts, and those of the period before. */
const periods = () => ({
  hours: { title: '24 hours', from: ago(1), to: undefined, step: 'hour', before: [ago(2), ago(1)] },
  yesterday: { title: 'Yesterday', from: dayOf(1), to: dayOf(0), step: 'hour', before: [dayOf(2), dayOf(1)] },
  week: { title: '7 days', from: ago(7), to: undefined, step: 'day', before: [ago(14), ago(7)] },
  days: { title: '30 days', from: ago(30), to: undefined, step: 'day', before: [ago(60), ago(30)] },
});

/** The calls of a period, their callers, and the things that need this Member. */
export default class HomePage extends Page {
  periods = periods();

  async load() {
    const [buckets, before, usage, grants] = await Promise.all([
      this.count(this.grant),
      this.count(this.grant, this.period.before),
      execute('record_store.get_usage'),
      grantsWith(),
    ]);
    const used = usedIn(this.period, grants);
    const counted = used
      .slice(0, MOST_GRANTS)
      .map(async (grant) => ({ grant, sums: totals(await this.count(grant.id)) }));
    const [attention, steps, ...callers] = await Promise.all([
      attentionFor(grants),
      firstSteps(grants, usage),
      ...counted,
    ]);
    const others = used.length - callers.length;
    this.loaded = { buckets, former: totals(before), usage, attention, steps, callers, others };
  }

  get period() {
    const name = this.asked.period ?? '';
    return this.periods[Object.hasOwn(this.periods, name) ? /** @type {'hours'} */ (name) : 'hours'];
  }

  /** The grant whose calls are shown; empty for those of everybody. */
  get grant() {
    return this.asked.grant ?? '';
  }

  /** The input that counts the calls of a grant, or of everybody. @param {string} grant @param {readonly (string | undefined)[]} [span] */
  counted(grant, [from, to] = [this.period.from, this.period.to]) {
    return { from, to, step: this.period.step, grant_id: grant || undefined };
  }

  /** @param {string} grant @param {readonly (string | undefined)[]} [span] @returns {Promise<import('../../elements/chart.js').Bucket[]>} */
  async count(grant, span) {
    return (await execute('audit.count_entries', this.counted(grant, span))).buckets;
  }

  head() {
    const hour = new Date().getHours();
    const greeting = hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
    const whose = isOwner() ? 'people, agents and jobs' : 'you and your grants';
    const titles = Object.entries(this.periods).map(
      ([name, { title }]) => /** @type {const} */ ([name, title]),
    );
    const all = html`<a href="/console?${queryOf({ ...this.asked, grant: '' })}">Show all calls</a>`;
    return {
      title: html`${greeting}, ${shown(me.displayName ?? me.userId)}`,
      about: this.grant
        ? html`The calls of ${nameOf('grant', this.grant)}. ${all}`
        : `What ${whose} did in this Workspace.`,
      actions: this.choice('Period', 'period', titles),
    };
  }

  /** The page of the calls that a number counts. @param {string} grant @param {string} outcome */
  callsOf(grant, outcome) {
    const { from, to } = this.period;
    return `${isOwner() ? 'audit' : 'requests'}?${queryOf({ grant_id: grant, outcome, from, to })}`;
  }

  content() {
    const { buckets, former, usage, attention, steps } = this.loaded;
    const [calls = 0, refused = 0, failed = 0] = totals(buckets);
    const counting = asCurl(operation('audit.count_entries', this.counted(this.grant)));
    return html`${steps}
      <div class="tiles">
        ${this.tile('Calls', 'activity', calls, changeOf(calls, former[0]), '', '')}
        ${this.tile('Refused', 'ban', refused, shareOf(refused, calls), 'refused', 'warn')}
        ${this.tile('Failed', 'triangle-alert', failed, shareOf(failed, calls), 'failed', 'bad')}
        <div class="card tile"><span class="label">${icon('hard-drive')}Storage</span><span class="value num">${sizeOf(usage.stored_bytes)}</span>
          <small>of ${sizeOf(usage.quota)}</small><meter aria-label="Used part of the quota" max=${usage.quota} value=${usage.stored_bytes}></meter></div>
      </div>
      ${card(
        `Calls by ${this.period.step}`,
        html`<call-chart .buckets=${buckets} .step=${this.period.step}></call-chart>${counting}`,
        {
          hint: this.grant ? nameOf('grant', this.grant) : 'all callers',
          end: html`<span class="legend"><span class="done">done</span><span class="refused">refused</span><span class="failed">failed</span></span>`,
        },
      )}
      <div class="two">
        ${card('Most active', this.callers(), { end: link('grants', 'All grants'), flush: true })}
        ${card('Needs you', attention.view, { hint: attention.count, flush: true })}
      </div>`;
  }

  /** @param {string} label @param {string} image @param {number} value @param {string} note @param {string} outcome @param {string} look of a value that is not 0 */
  tile(label, image, value, note, outcome, look) {
    return html`<a class="card tile" href="/console/${this.callsOf(this.grant, outcome)}"><span class="label">${icon(image)}${label}</span>
      <span class="value num ${value ? look : ''}">${value}</span><small>${note}</small></a>`;
  }

  /** The grants in use, by the number of their calls, and the calls of people last. The console makes calls of people too. */
  callers() {
    /** @type {{ callers: Caller[], others: number, buckets: import('../../elements/chart.js').Bucket[] }} */
    const { callers, others: otherGrants, buckets } = this.loaded;
    const active = callers.filter(({ sums }) => sums[0]);
    const rows = active.toSorted((one, other) => (other.sums[0] ?? 0) - (one.sums[0] ?? 0));
    const others = totals(buckets).map((sum, index) =>
      callers.reduce((left, { sums }) => Math.max(0, left - (sums[index] ?? 0)), sum),
    );
    /** @param {number} index @param {string} outcome @param {string} look */
    const number =
      (index, outcome, look) =>
      (/** @type {Caller} */ { grant, sums }) =>
        grant && sums[index]
          ? html`<a class="num ${look}" href="/console/${this.callsOf(grant.id, outcome)}">${sums[index]}</a>`
          : html`<span class="num">${sums[index]}</span>`;
    const without = otherGrants > 0 ? `${otherGrants} other grants, and sessions` : 'Without a grant';
    const people = `${isOwner() ? 'people' : 'you'}, this console included`;
    const columns = {
      Caller: (/** @type {Caller} */ { grant }) => (grant ? this.caller(grant) : titled(without, people)),
      'Last call': (/** @type {Caller} */ { grant }) => timeOf(grant?.lastUsedAt),
      Calls: number(0, '', ''),
      Refused: number(1, 'refused', 'warn'),
      Failed: number(2, 'failed', 'bad'),
    };
    const all = this.grant ? rows : [...rows, { sums: others }];
    return tableOf('Calls by caller', columns, all, ['Calls', 'Refused', 'Failed']);
  }

  /** @param {Grant} grant */
  caller({ id, name, kind, userId }) {
    const calls = html`<a href="/console?${queryOf({ ...this.asked, grant: id })}">${shown(name ?? id)}</a>`;
    return titled(calls, html`${kind} grant, ${nameOf('member', userId)}`);
  }
}

/** A share of all calls. @param {number} part @param {number} all */
const shareOf = (part, all) =>
  all === 0 ? 'of no calls' : `${Number(((100 * part) / all).toFixed(1))} % of calls`;
