import { html, nothing } from 'lit';
import { isOwner, operation } from './api.js';
import { nameOf } from './names.js';
import { LightElement } from './page.js';
import { shown } from './text.js';
import { asCurl, codeLink, factList, icon, idOf, link, listOf, stateBadge } from './view.js';

/** @typedef {import('@action-platform/contracts').AuditEntry} AuditEntry */

/**
 * The page of something that a call named, with the name that the platform knows.
 * @param {string} target
 * @param {readonly string[]} targets all of them: a Record is shown with its Collection
 */
function targetLink(target, targets) {
  const collection = targets.find((each) => each.startsWith('col_'));
  const known = {
    apv_: () => link(`approvals/${target}`, 'the approval'),
    col_: () => link(`records/${target}`, nameOf('collection', target)),
    rec_: () => (collection ? link(`records/${collection}/${target}`, 'the Record') : nothing),
    rgr_: () => link(`grants?kind=routine&q=${target}`, nameOf('grant', target)),
    ogr_: () => link(`grants?kind=operation&q=${target}`, nameOf('grant', target)),
    whe_: () => (isOwner() ? link(`webhooks/${target}`, 'the webhook') : nothing),
    snd_: () => link('mail', nameOf('sender', target)),
  };
  const page = Object.entries(known).find(([prefix]) => target.startsWith(prefix))?.[1]() ?? nothing;
  return html`${page} ${idOf(target)}`;
}

/** One call, whole. */
class CallPanel extends LightElement {
  static properties = { entry: { attribute: false } };

  constructor() {
    super();
    /** @type {AuditEntry | undefined} */
    this.entry = undefined;
  }

  firstUpdated() {
    this.querySelector('dialog')?.showModal();
  }

  render() {
    if (this.entry === undefined) return nothing;
    const {
      operation: called,
      at,
      request_id: id,
      call_id: callId,
      user_id: user,
      via,
      grant_id: grant,
      grant_name: grantName,
      ...entry
    } = this.entry;
    const isOperation = /^[a-z_]+(\.[a-z_0-9]+)+$/.test(called);
    const log = isOwner() ? 'audit' : 'requests';
    const close = () => this.querySelector('dialog')?.close();
    return html`<dialog class="panel" aria-label="A call" @close=${() => this.remove()}><div>
      <div class="pages"><h2>${isOperation ? nameOf('operation', called) : shown(called)}</h2> ${stateBadge(entry.outcome)}</div>
      ${factList([
        ['Operation', html`<code>${shown(called)}</code>`],
        ['Time', new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })],
        ['By', html`${via === 'operator' ? shown(user) : nameOf('member', user)}, ${via.replace('_', ' ')}`],
        [
          'Grant',
          grant && html`${link(`${log}?grant_id=${grant}`, shown(grantName ?? grant))} ${idOf(grant)}`,
        ],
        [
          'Run',
          entry.invocation_id &&
            html`<a href="/console/${log}?${new URLSearchParams({ invocation_id: entry.invocation_id })}">${shown(entry.invocation_id)}</a>`,
        ],
        ['Status', entry.status],
        ['Code', entry.code === 'ok' ? 'ok' : html`${codeLink(entry.code)}: what it means, and what to do`],
        ['Calls', entry.count && `${entry.count} equal ones share this entry`],
        ['Repeated', entry.replayed ? 'yes: the outcome of an earlier call with its key' : undefined],
        ['Answered', entry.answered ? undefined : 'no: its caller or its gateway left before'],
        [
          'Named',
          entry.targets.length > 0
            ? listOf(entry.targets, (target) => targetLink(target, entry.targets))
            : undefined,
        ],
        [
          'Request',
          html`<code>${shown(id)}</code> <copy-button .text=${id} .what=${'request id'}></copy-button>`,
        ],
        ['Call id', callId && html`<code>${shown(callId)}</code>`],
      ])}
      ${asCurl(operation('audit.list_entries', { request_id: id }))}
      <div class="pages">${isOperation ? html`<a class="button" href="/console/playground?operation=${called}" @click=${close}>${icon('terminal')}Open in the playground</a>` : nothing}
        <button type="button" class="quiet" @click=${close}>Close</button></div>
    </div></dialog>`;
  }
}
customElements.define('call-panel', CallPanel);

/** Shows a call beside the page. @param {AuditEntry} entry */
export const openCall = (entry) =>
  document.body.append(Object.assign(document.createElement('call-panel'), { entry }));
