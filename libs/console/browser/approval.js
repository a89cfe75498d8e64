import { html, nothing } from 'lit';
import { call, get, isOwner, me, path, write } from './api.js';
import { STATUS_WORDS } from './approvals.js';
import { effectOf } from './decisions.js';
import { field } from './fields.js';
import { actionForm } from './form.js';
import { jsonView } from './json.js';
import { nameOf } from './names.js';
import { Page } from './page.js';
import { keeping, shown } from './text.js';
import {
  asCurl,
  callout,
  card,
  factList,
  icon,
  idOf,
  link,
  requestLink,
  stateBadge,
  timeOf,
} from './view.js';

/** @typedef {import('@action-platform/contracts').Approval} Approval */
/** @typedef {Approval & { input: import('./text.js').JsonText }} Held */

const parse = keeping('input');

/** One call, whole, and the decision about it. */
class ApprovalPage extends Page {
  get path() {
    return path`/api/v1/approvals/${this.names[0] ?? ''}`;
  }

  async load() {
    this.loaded = (await call(get(this.path), { parse })).approval;
  }

  head() {
    /** @type {Held | undefined} */
    const approval = this.loaded;
    const crumbs = /** @type {const} */ ([['approvals', 'Approvals']]);
    if (approval === undefined) return { title: this.entry, crumbs };
    const { operation, grantId, userId, requestedAt, lapsesAt, status } = approval;
    const isOwn = status === 'pending' && mayDecide(approval);
    return {
      title: nameOf('operation', operation),
      crumbs,
      about: html`<strong>${grantId ? nameOf('grant', grantId) : nameOf('member', userId)}</strong> asks${grantId ? html` as ${nameOf('member', userId)}` : nothing} · ${timeOf(requestedAt)} · ${status === 'pending' ? html`lapses ${timeOf(lapsesAt)}` : nothing}`,
      actions: html`<span role="status">${stateBadge(status, isOwn ? 'waits for you' : (STATUS_WORDS[status] ?? status))}</span>`,
    };
  }

  content() {
    /** @type {Held} */
    const approval = this.loaded;
    const { status, operation, input, grantId } = approval;
    const { title, text, isGrave } = effectOf(approval);
    const then = 'An approved call is executed when its caller repeats it, and has one effect.';
    return html`${status === 'pending' ? callout(title, html`<p>${text} ${then}</p>`, isGrave ? '' : 'plain') : nothing}
      <div class="two">
        <section class="card">
          <header><h2>The exact call</h2><span class="hint">all of it, as sent; hidden characters are written out, such as <code>\\u202e</code></span></header>
          <div class="body input">${jsonView(input.text)} ${status === 'pending' && mayDecide(approval) ? nothing : asCurl(get(this.path))}</div>
          ${status === 'pending' && mayDecide(approval) ? html`<div class="decide">${this.decision()}</div>` : nothing}
        </section>
        ${card(
          'Who asks',
          factList([
            ['Operation', html`<span class="tag"><code>${shown(operation)}</code></span>`],
            ['Acts as', html`${nameOf('member', approval.userId)}`],
            [
              'With',
              grantId
                ? html`${link(`grants?q=${grantId}`, nameOf('grant', grantId))}, ${approval.via.replace('_', ' ')} ${idOf(grantId)}`
                : 'a session',
            ],
            ['Run', approval.invocationId && shown(approval.invocationId)],
            ['Request', requestLink(approval.requestId)],
            ['Key', approval.idempotencyKey && html`<code>${shown(approval.idempotencyKey)}</code>`],
            ['Approver', approval.preventSelfApproval ? 'another Owner' : undefined],
            ['Before', approval.formerId && link(`approvals/${approval.formerId}`, 'the same call')],
            [
              'Decided',
              approval.decidedAt &&
                html`${timeOf(approval.decidedAt)} by ${nameOf('member', approval.decidedBy ?? '')}`,
            ],
            ['Reason', approval.reason && shown(approval.reason)],
            ['Executed', approval.usedAt && timeOf(approval.usedAt)],
            ['By request', approval.usedRequestId && requestLink(approval.usedRequestId)],
            ['Approval', idOf(approval.id)],
          ]),
        )}
      </div>`;
  }

  decision() {
    return actionForm({
      label: 'Decide',
      buttons: [
        ['reject', html`${icon('x')}Reject`, 'danger'],
        ['approve', html`${icon('check')}Approve this call`, 'good'],
      ],
      fields: [field('reason', 'Reason, for the caller', { longest: 1000 })],
      request: ({ button: decision = 'approve', reason }) =>
        write('POST', `${this.path}/decision`, { decision, reason }),
      isFresh: () => true,
      parse,
      done: ({ approval }) => {
        this.loaded = approval;
      },
    });
  }
}
customElements.define('approval-page', ApprovalPage);

/** Whether the signed-in Member may decide about a call. @param {Approval} approval */
const mayDecide = ({ userId, preventSelfApproval }) =>
  isOwner() && !(preventSelfApproval && userId === me.userId);
