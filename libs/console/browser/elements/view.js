import { html, nothing } from 'lit';
import { curlOf } from '../platform/api.js';
import { settings } from '../platform/settings.js';
import { spoken } from '../text/spoken.js';
import { shown, withoutHidden } from '../text/text.js';

/** @typedef {'good' | 'warn' | 'bad' | 'info' | ''} Tone */
/** @typedef {import('../forms/edits.js').Options} Options */

export const loading = html`<p>Loading …</p>`;

/** An icon, which says nothing that the words beside it do not say. @param {string} name */
export const icon = (name) =>
  html`<svg class="icon" aria-hidden="true"><use href="${settings.icons}#${name}"></use></svg>`;

/** A state in a colour that means something, with its words. @param {unknown} words @param {Tone} [tone] */
export const badge = (words, tone = '') => html`<span class="badge ${tone}">${words}</span>`;

/** The states of grants, approvals, calls and deliveries, by their tones. */
const STATES = {
  good: ['active', 'delivered', 'done', 'drafted', 'enabled', 'used'],
  warn: ['archived', 'pending', 'refused', 'unknown', 'waiting'],
  bad: ['dead', 'disabled', 'failed', 'rejected', 'stopped'],
  info: ['approved', 'owner'],
};
/** @param {string} state */
const toneOf = (state) =>
  /** @type {Tone} */ (Object.entries(STATES).find(([, states]) => states.includes(state))?.[0] ?? '');

/** A state of the platform by its name. @param {string} state @param {string} [words] */
export const stateBadge = (state, words = state) => badge(words, toneOf(state));

/** A time of the platform as people say it, with the exact one on hover. @param {string | null | undefined} time @param {string} [none] */
export const timeOf = (time, none = '–') =>
  time
    ? html`<time datetime=${time} title=${new Date(time).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}>${spoken(time)}</time>`
    : none;

const LONG = 20;

/** An id, shortened. @param {string} id */
export const shortId = (id) =>
  id.length > LONG && /^[a-z]+_[\w-]+$/.test(id) ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;

/** An id, shortened, with a button that copies it whole. @param {string} id */
export const idOf = (id) =>
  html`<span class="id"><code title=${withoutHidden(id)}>${shown(shortId(id))}</code><copy-button .text=${id} .what=${'id'}></copy-button></span>`;

/** A name, and below it what it is. @param {unknown} name @param {unknown} about */
export const titled = (name, about) => html`<strong>${name}</strong><small>${about}</small>`;

/** A number of things. @param {number} number @param {string} one @param {string} [many] */
export const countOf = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Values that have themselves as labels. @param {readonly string[]} values @param {string} [any] label of the empty one */
export const optionsOf = (values, any) =>
  (any === undefined ? values : ['', ...values]).map(
    (value) => /** @type {const} */ ([value, value === '' ? any : shown(value)]),
  );

/** The options of a `select`. @param {Options} options @param {unknown} present the value that is selected */
export const optionsView = (options, present) =>
  options.map(
    ([value, text]) => html`<option value=${value} ?selected=${value === present}>${text}</option>`,
  );

/** Buttons of which one is pressed. @param {string} label @param {Options} options @param {string | undefined} present @param {(value: string) => void} choose */
export const segments = (label, options, present, choose) =>
  html`<span class="segments" role="group" aria-label=${label}>${options.map(
    ([value, text]) =>
      html`<button type="button" aria-pressed=${value === present} @click=${() => choose(value)}>${text}</button>`,
  )}</span>`;

/** The buttons to other pages of a listing, each with whether it is enabled. @param {readonly (readonly [label: string, isEnabled: boolean, turn: () => unknown])[]} buttons */
export const pageButtons = (buttons) =>
  html`<span class="pages">${buttons.map(
    ([label, isEnabled, turn]) =>
      html`<button type="button" class="small" ?disabled=${!isEnabled} @click=${turn}>${label}</button>`,
  )}</span>`;

/** Rows as a list, or a word when the list is empty. @param {readonly any[]} rows @param {(row: any) => unknown} entry @param {string} [none] */
export const listOf = (rows, entry, none = 'none') =>
  rows.length === 0 ? none : html`<ul>${rows.map((row) => html`<li>${entry(row)}</li>`)}</ul>`;

/** A list of names and values. The list leaves out a name without a value. @param {readonly (readonly [string, unknown])[]} facts */
export const factList = (facts) =>
  html`<dl class="facts">
    ${facts
      .filter(([, value]) => ![undefined, null, false, ''].includes(/** @type {any} */ (value)))
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;

/** A part of a page with its heading. @param {unknown} title @param {unknown} body @param {{ hint?: unknown, end?: unknown, flush?: boolean }} [more] `flush` removes the padding of the body */
export const card = (title, body, { hint, end, flush = false } = {}) => html`<section class="card">
  <header><h2>${title}</h2>${hint ? html`<span class="hint">${hint}</span>` : nothing}${end ? html`<span class="end">${end}</span>` : nothing}</header>
  ${flush ? body : html`<div class="body">${body}</div>`}
</section>`;

/** A notice with a title and a tone. @param {string} title @param {unknown} text @param {Tone} [tone] */
export const callout = (title, text, tone = 'warn') => html`<div class="callout ${tone}">
  ${icon('triangle-alert')}<div><strong>${title}</strong>${text}</div></div>`;

/** The purpose of a page without data. @param {string} image the name of an icon @param {string} title @param {string} [text] @param {unknown} [more] a link or an example */
export const emptyState = (image, title, text, more = nothing) =>
  html`<div class="empty">${image ? icon(image) : nothing}${text ? html`<h2>${title}</h2>` : html`<p><strong>${title}</strong></p>`}${text ? html`<p>${text}</p>` : nothing}${more}</div>`;

/** A call as a command, without the token. @param {import('../platform/api.js').Request} request */
export const asCurl = (request) =>
  html`<details class="curl"><summary>The same with curl</summary><pre tabindex="0">${withoutHidden(curlOf(request))}</pre></details>`;
