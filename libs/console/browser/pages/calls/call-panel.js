import { html, nothing, render } from 'lit';
import { codeLink, link } from '../../elements/links.js';
import { nameOf } from '../../elements/names.js';
import { asCurl, factList, icon, idOf, listOf, stateBadge } from '../../elements/view.js';
import { isOwner, operation, queryOf } from '../../platform/api.js';
import { grantAddress } from '../../text/grant-address.js';
import { shown } from '../../text/text.js';

/** @typedef {import('@action-platform/contracts/audit').AuditEntry} AuditEntry */

const grantLink = (/** @type {string} */ id) => link(grantAddress(id), nameOf('grant', id));

/** The pages of the targets of a call, by the prefix of its id; a Record is shown with its Collection. @type {Record<string, (id: string, collection: string | undefined) => unknown>} */
const TARGETS = {
  apv_: (id) => link(`approvals/${id}`, 'the approval'),
  col_: (id) => link(`records/${id}`, nameOf('collection', id)),
  rec_: (id, collection) => (collection ? link(`records/${collection}/${id}`, 'the Record') : nothing),
  rgr_: grantLink,
  agr_: grantLink,
  ogr_: grantLink,
  whe_: (id) => (isOwner() ? link(`webhooks/${id}`, 'the webhook') : nothing),
  snd_: (id) => link('mail', nameOf('sender', id)),
};

/** @param {readonly string[]} targets */
function targetsOf(targets) {
  const collection = targets.find((target) => target.startsWith('col_'));
  const view = (/** @type {string} */ id) =>
    html`${TARGETS[id.slice(0, 4)]?.(id, collection) ?? nothing} ${idOf(id)}`;
  return targets.length > 0 && listOf(targets, view);
}

const isOperation = (/** @type {string} */ called) => /^[a-z_]+(\.[a-z_0-9]+)+$/.test(called);

/** An operation by its title. A route, or a command of an operator, has no title. @param {string} called */
export const calledName = (called) => (isOperation(called) ? nameOf('operation', called) : shown(called));

/** One call, whole. @param {AuditEntry} entry @param {() => void} close */
function callView(
  { operation: called, request_id: id, user_id: user, grant_id: grant, via, ...entry },
  close,
) {
  const log = isOwner() ? 'audit' : 'requests';
  const run = entry.invocation_id;
  return html`<div>
    <div class="pages"><h2>${calledName(called)}</h2> ${stateBadge(entry.outcome)}</div>
    ${factList([
      ['Operation', html`<code>${shown(called)}</code>`],
      ['Time', new Date(entry.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })],
      ['By', html`${via === 'operator' ? shown(user) : nameOf('member', user)}, ${via.replace('_', ' ')}`],
      [
        'Grant',
        grant && html`${link(`${log}?grant_id=${grant}`, shown(entry.grant_name ?? grant))} ${idOf(grant)}`,
      ],
      ['Run', run && link(`${log}?${queryOf({ invocation_id: run })}`, shown(run))],
      ['Status', entry.status],
      ['Code', entry.code === 'ok' ? 'ok' : html`${codeLink(entry.code)}: what it means, and what to do`],
      ['Calls', entry.count && `${entry.count} equal ones share this entry`],
      ['Repeated', entry.replayed && 'yes: the outcome of an earlier call with its key'],
      ['Answered', !entry.answered && 'no: the connection was lost before the answer'],
      ['Named', targetsOf(entry.targets)],
      ['Request', html`<code>${shown(id)}</code> <copy-button .text=${id} .what=${'id'}></copy-button>`],
      ['Call id', entry.call_id && html`<code>${shown(entry.call_id)}</code>`],
    ])}
    ${asCurl(operation('audit.list_entries', { request_id: id }))}
    <div class="pages">${isOperation(called) ? html`<a class="button" href="/console/playground?operation=${called}" @click=${close}>${icon('terminal')}Open in the playground</a>` : nothing}
      <button type="button" class="quiet" @click=${close}>Close</button></div>
  </div>`;
}

/** Shows a call beside the page. @param {AuditEntry} entry */
export function openCall(entry) {
  const dialog = document.createElement('dialog');
  dialog.className = 'panel';
  dialog.ariaLabel = 'A call';
  dialog.onclose = () => dialog.remove();
  render(
    callView(entry, () => dialog.close()),
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
}
