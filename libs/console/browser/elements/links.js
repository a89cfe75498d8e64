import { html } from 'lit';
import { queryOf } from '../platform/api.js';
import { shown } from '../text/text.js';
import { shortId } from './view.js';

/** A link to a page of the console. @param {string} address @param {unknown} label */
export const link = (address, label) => html`<a href="/console/${address}">${label}</a>`;

/** A link to what a code of an error means. @param {string} code */
export const codeLink = (code) => html`<a target="_blank" href="/docs/errors/${code}">${code}</a>`;

/** A link to a call among the requests. @param {string} id */
export const requestLink = (id) =>
  html`<a href="/console/requests?${queryOf({ request_id: id })}"><code>${shown(shortId(id))}</code></a>`;

/** A link that looks like a small button. @param {string} address @param {unknown} label @param {string} [look] a class */
export const buttonTo = (address, label, look = '') =>
  html`<a class="button small ${look}" href="/console/${address}">${label}</a>`;

/** A link to a page of another maker, when its address is one that a browser may open. @param {string} url @param {string} label */
export const outside = (url, label) =>
  /^https?:\/\//.test(url) ? html`<a href=${url} target="_blank" rel="noreferrer">${label}</a>` : shown(url);

/** A guide of the documentation. @param {string} name @param {string} label */
export const guide = (name, label) => html`<a target="_blank" href="/docs/guides/${name}">${label}</a>`;
