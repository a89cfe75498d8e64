import { html, nothing } from 'lit';
import { link } from '../../elements/links.js';
import { nameOf } from '../../elements/names.js';
import { problem } from '../../elements/problem.js';
import { card, emptyState, icon, timeOf, titled } from '../../elements/view.js';
import {
  APPROVAL_RULES,
  call,
  canDecide,
  execute,
  get,
  hasMail,
  isOwner,
  operation,
} from '../../platform/api.js';
import { pageOf } from '../../platform/listing.js';
import { WEEK } from '../../text/spoken.js';
import { shown } from '../../text/text.js';
import { grantsThatNeed, itemOf, stepsOf } from './steps.js';

/** @typedef {import('./steps.js').Item} Item */
/** A kind of things that may wait: its listing, the page of all its things, which rows wait, and their entry. @typedef {{ request: import('../../platform/api.js').Request, rows: string, all: string, waits?: (row: any) => boolean, item: (row: any) => Item }} Kind */

/** The most entries of a kind; a link leads to the others. */
const MOST_ENTRIES = 5;
/** The most grants of a Workspace whose Owners see the first steps. */
const MOST_GRANTS = 3;

/** @type {Kind} */
const approvals = {
  request: get('/api/v1/approvals', { status: 'pending', limit: String(MOST_ENTRIES + 1) }),
  rows: 'approvals',
  all: 'approvals',
  item: ({ id, operation: called, grantId, userId, requestedAt, ...approval }) => {
    const caller = grantId ? nameOf('grant', grantId) : nameOf('member', userId);
    const about = html`${caller} asks, ${timeOf(requestedAt)}`;
    const act = canDecide({ userId, ...approval }) ? 'Review' : 'Open';
    return itemOf('shield-check', 'warn', nameOf('operation', called), about, `approvals/${id}`, act);
  },
};
/** @type {Kind} */
const webhooks = {
  request: get('/api/v1/webhook-endpoints'),
  rows: 'endpoints',
  all: 'webhooks',
  waits: ({ failingSince, status }) => failingSince !== null || status === 'disabled',
  item: ({ id, url, failingSince: since }) => {
    const about = html`${shown(url)}${since ? html`, since ${timeOf(since)}` : nothing}`;
    const what = since ? 'A webhook fails' : 'A webhook is disabled';
    return itemOf('webhook', 'bad', what, about, `webhooks/${id}`);
  },
};
/** @type {Kind} */
const mailboxes = {
  request: operation('mail.list_authorized_senders'),
  rows: 'senders',
  all: 'mail',
  waits: ({ available }) => !available,
  item: ({ email }) => itemOf('mail', 'bad', 'A mailbox is not available', shown(email), 'mail'),
};
/** @type {Kind} */
const drafts = {
  request: operation('mail.list_send_history'),
  rows: 'entries',
  all: 'mail',
  // The platform does not see whether a person sent the draft.
  waits: ({ view, logged_at: at }) => view.outcome === 'drafted' && Date.now() - Date.parse(at) < WEEK,
  item: ({ view, logged_at: at }) =>
    itemOf('mail', '', 'A draft of the last 7 days', html`${shown(view.subject)}, ${timeOf(at)}`, 'mail'),
};
/** @type {Kind} */
const procedures = {
  request: operation('procedures.list_drafts', { limit: MOST_ENTRIES + 1 }),
  rows: 'procedures',
  all: 'procedures',
  item: ({ slug, title }) =>
    itemOf('file-text', '', 'A draft Procedure', shown(title), `procedures/${slug}`, 'Read'),
};

/** The things that wait for this Member, as a list with a link for each. @param {readonly import('@action-platform/contracts/resources').Grant[]} grants */
export async function attentionFor(grants) {
  const ofOwners = isOwner() ? [webhooks] : [];
  const ofMail = hasMail() ? [mailboxes, drafts] : [];
  const parts = await Promise.all([approvals, ...ofOwners, ...ofMail, procedures].map(itemsOf));
  const all = [...parts, partOf(grantsThatNeed(grants), 'grants', false)];
  const items = all.flatMap((part) => part.items);
  const more = all.flatMap((part) => part.more ?? []);
  const view = html`${all.map(({ failure }) => (failure ? html`<div class="body">${problem(failure)}</div>` : nothing))}
    ${
      items.length === 0
        ? emptyState('circle-check', 'Nothing waits for you.')
        : html`<ul class="attention">${items.map(itemView)}
      ${more.map((page) => html`<li>${link(page, `More in ${page}`)}</li>`)}</ul>`
    }`;
  return { view, count: more.length > 0 ? `more than ${items.length}` : items.length };
}

/** The first entries of a kind, and the page of the others if there are any. @param {Item[]} items @param {string} all @param {boolean} isCut @returns {{ items: Item[], more?: string, failure?: unknown }} */
const partOf = (items, all, isCut) => ({
  items: items.slice(0, MOST_ENTRIES),
  ...((isCut || items.length > MOST_ENTRIES) && { more: all }),
});

/** @param {Kind} kind */
async function itemsOf({ waits = () => true, item, all, ...source }) {
  try {
    const { rows, next } = await pageOf(source, undefined);
    return partOf(rows.filter(waits).map(item), all, next !== null);
  } catch (failure) {
    return { items: [], failure };
  }
}

/** @param {Item & { isDone?: boolean }} item */
const itemView = ({ image, tone, what, about, address, act, isDone }) =>
  html`<li><span class="dot ${tone}">${icon(image)}</span><span class="what">${titled(what, about)}${isDone ? html`<span class="unseen">done</span>` : nothing}</span>
  ${act ? html`<a class="button small" href="/console/${address}" aria-label="${act}: ${typeof what === 'string' ? what : 'the call'}">${act}</a>` : nothing}</li>`;

/** The first steps in a new Workspace, for its Owners. @param {readonly object[]} grants @param {{ stored_bytes: number }} usage */
export async function firstSteps(grants, usage) {
  if (!isOwner() || grants.length > MOST_GRANTS) return nothing;
  const [{ collections }, { rules }, { approvals }] = await Promise.all([
    execute('record_store.list_collections', { limit: 1 }),
    call(get(APPROVAL_RULES)),
    call(get('/api/v1/approvals', { limit: '200' })),
  ]);
  const steps = stepsOf({
    collections: collections.length,
    collection: collections[0]?.id,
    storedBytes: usage.stored_bytes,
    grants: grants.length,
    rules: rules.length,
    held: approvals.length,
    decided: approvals.filter((/** @type {{ decidedAt?: string }} */ { decidedAt }) => decidedAt).length,
  });
  if (steps === undefined) return nothing;
  return card('First steps', html`<ul class="attention">${steps.map(itemView)}</ul>`, {
    hint: `${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`,
    flush: true,
  });
}
