import { html, nothing } from 'lit';
import { call, execute, get, isOwner } from './api.js';
import { stepsOf } from './decisions.js';
import { card, icon } from './view.js';

/** The most grants of a Workspace that is still shown its first steps. */
const FEW = 3;

/** The first steps in a new Workspace, for its Owners. @param {readonly object[]} grants @param {{ stored_bytes: number }} usage */
export async function firstSteps(grants, usage) {
  if (!isOwner() || grants.length > FEW) return undefined;
  const [{ collections }, { rules }, { approvals }] = await Promise.all([
    execute('record_store.list_collections', { limit: 1 }),
    call(get('/api/v1/approval-rules')),
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
  return (
    steps &&
    card('First steps', html`<ul class="attention">${steps.map(stepView)}</ul>`, {
      hint: `${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`,
      flush: true,
    })
  );
}

/** @param {import('./decisions.js').Step} step */
const stepView = ({
  isDone,
  title,
  about,
  address,
  act,
}) => html`<li><span class="dot ${isDone ? 'good' : ''}">${icon(isDone ? 'circle-check' : 'circle')}</span>
  <span class="what"><strong>${title}</strong>${isDone ? html` <small class="unseen">done</small>` : nothing}<small>${about}</small></span>
  ${isDone ? nothing : html`<a class="button small" href="/console/${address}" aria-label="${act}: ${title}">${act}</a>`}</li>`;
