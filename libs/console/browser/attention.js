import { html, nothing } from 'lit';
import { get, hasMail, isOwner, operation } from './api.js';
import { grantsThatNeed } from './decisions.js';
import { pageOf } from './listing.js';
import { nameOf } from './names.js';
import { problem } from './page.js';
import { shown } from './text.js';
import { icon, timeOf } from './view.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */
/** @typedef {{ image: string, tone: string, what: unknown, about: unknown, address: string, act: string }} Item */

/** The most entries of a kind; a link leads to the others. */
const MOST = 5;

/**
 * @typedef {object} Kind
 * @property {import('./api.js').Request} request
 * @property {string} rows
 * @property {string} all the page of all of them
 * @property {(row: any) => boolean} [waits]
 * @property {(row: any) => Item} item
 */

/** What may wait for this Member. @returns {Kind[]} */
const kinds = () => [
  {
    request: get('/api/v1/approvals', { status: 'pending', limit: String(MOST + 1) }),
    rows: 'approvals',
    all: 'approvals',
    item: ({ id, operation: called, grantId, userId, requestedAt }) => ({
      image: 'shield-check',
      tone: 'warn',
      what: nameOf('operation', called),
      about: html`${grantId ? nameOf('grant', grantId) : nameOf('member', userId)} asks, ${timeOf(requestedAt)}`,
      address: `approvals/${id}`,
      act: isOwner() ? 'Review' : 'Open',
    }),
  },
  ...(isOwner()
    ? [
        {
          request: get('/api/v1/webhook-endpoints'),
          rows: 'endpoints',
          all: 'webhooks',
          waits: (/** @type {any} */ { failingSince, status }) =>
            failingSince !== null || status === 'disabled',
          item: (/** @type {any} */ { id, url, failingSince }) => ({
            image: 'webhook',
            tone: 'bad',
            what: failingSince ? 'A webhook fails' : 'A webhook is disabled',
            about: html`${shown(url)}${failingSince ? html`, since ${timeOf(failingSince)}` : nothing}`,
            address: `webhooks/${id}`,
            act: 'Open',
          }),
        },
      ]
    : []),
  ...(hasMail()
    ? [
        {
          request: operation('mail.list_authorized_senders'),
          rows: 'senders',
          all: 'mail',
          waits: (/** @type {any} */ { available }) => !available,
          item: (/** @type {any} */ { email }) => ({
            image: 'mail',
            tone: 'bad',
            what: 'A mailbox is not available',
            about: shown(email),
            address: 'mail',
            act: 'Open',
          }),
        },
        {
          request: operation('mail.list_send_history'),
          rows: 'entries',
          all: 'mail',
          waits: (/** @type {any} */ { view }) => view.outcome === 'drafted',
          item: (/** @type {any} */ { view, logged_at: at }) => ({
            image: 'mail',
            tone: '',
            what: 'A draft to send',
            about: html`${shown(view.subject)}, ${timeOf(at)}`,
            address: 'mail',
            act: 'Open',
          }),
        },
      ]
    : []),
  {
    request: operation('procedures.list_drafts', { limit: MOST + 1 }),
    rows: 'procedures',
    all: 'procedures',
    item: ({ slug, title }) => ({
      image: 'file-text',
      tone: '',
      what: 'A draft Procedure',
      about: shown(title),
      address: `procedures/${slug}`,
      act: 'Read',
    }),
  },
];

/** What waits for this Member, as a list with a link for each. @param {readonly Grant[]} grants */
export async function attentionFor(grants) {
  const parts = await Promise.all(kinds().map(itemsOf));
  const ofGrants = grantsThatNeed(grants);
  const all = [
    ...parts,
    { items: ofGrants.slice(0, MOST), more: ofGrants.length > MOST ? 'grants' : undefined },
  ];
  const items = all.flatMap((part) => part.items);
  const isCut = all.some(({ more }) => more !== undefined);
  const view = html`${all.map(({ failure }) => (failure ? html`<div class="body">${problem(failure)}</div>` : nothing))}
    ${
      items.length === 0
        ? html`<div class="empty">${icon('circle-check')}<p>Nothing waits for you.</p></div>`
        : html`<ul class="attention">${items.map(itemView)}
      ${all.map(({ more }) => (more ? html`<li><span class="what"><a href="/console/${more}">More in ${more}</a></span></li>` : nothing))}</ul>`
    }`;
  return { view, count: isCut ? `more than ${items.length}` : items.length };
}

/** @param {Kind} kind @returns {Promise<{ items: Item[], more?: string | undefined, failure?: unknown }>} */
async function itemsOf({ request, rows, all, waits = () => true, item }) {
  try {
    const page = await pageOf({ request, rows }, undefined);
    const found = page.rows.filter(waits);
    const isCut = found.length > MOST || page.next !== null;
    return { items: found.slice(0, MOST).map(item), more: isCut ? all : undefined };
  } catch (failure) {
    return { items: [], failure };
  }
}

/** @param {Item} item */
const itemView = ({
  image,
  tone,
  what,
  about,
  address,
  act,
}) => html`<li><span class="dot ${tone}">${icon(image)}</span>
  <span class="what"><strong>${what}</strong><small>${about}</small></span>
  <a class="button small" href="/console/${address}" aria-label="${act}: ${typeof what === 'string' ? what : 'the call'}">${act}</a></li>`;
