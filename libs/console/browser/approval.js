import { html, nothing } from 'lit';
import { call, get, isOwner, me, path, write } from './api.js';
import { field } from './fields.js';
import { actionForm } from './form.js';
import { asCurl, doneBy, factList, link, localTime, Page, requestLink } from './page.js';
import { keeping, read, shown, writtenJson } from './text.js';

/** @typedef {import('@action-platform/contracts').Approval} Approval */

const STATUS = {
  pending: 'waits for an Owner',
  approved: 'is approved, and not executed yet',
  rejected: 'is rejected',
  used: 'was approved and executed',
  lapsed: 'has lapsed',
};

const parse = keeping('input');

/** One call, whole, and the decision about it. */
class ApprovalPage extends Page {
  get path() {
    return path`/api/v1/approvals/${this.names[0] ?? ''}`;
  }

  async load() {
    this.loaded = (await call(get(this.path), { parse })).approval;
  }

  content() {
    /** @type {Approval & { input: import('./text.js').JsonText }} */
    const approval = this.loaded;
    const { status, operation, isDestructive, formerId, input } = approval;
    return html`<p role="status">This call <strong>${STATUS[status]}</strong>.</p>
      ${factList([
        ['Operation', html`<code>${operation}</code>`],
        ['Effect', isDestructive ? html`<strong>It cannot be undone.</strong>` : 'It can be undone.'],
        ['For', shown(approval.userId)],
        ['By', approval.grantId ? html`${approval.via.replace('_', ' ')} ${approval.grantId}` : 'a session'],
        ['Approver', approval.preventSelfApproval ? 'another Owner' : undefined],
        ['Run', approval.invocationId && shown(approval.invocationId)],
        ['Asked', localTime(approval.requestedAt)],
        ['Request', requestLink(approval.requestId)],
        ['Lapses', localTime(approval.lapsesAt)],
        ['Idempotency key', approval.idempotencyKey && shown(approval.idempotencyKey)],
        ['Equal call before', formerId && link(`approvals/${formerId}`, formerId)],
        ['Decided', approval.decidedAt && doneBy(approval.decidedAt, approval.decidedBy ?? '')],
        ['Reason', approval.reason && shown(approval.reason)],
        ['Executed', approval.usedAt && localTime(approval.usedAt)],
        ['Executed by request', approval.usedRequestId && requestLink(approval.usedRequestId)],
      ])}
      <h2>Input</h2>
      <p>All of it, as sent. Control, bidirectional and invisible characters are written out, such as <code>\\u202e</code>.</p>
      <dl class="input">
        ${read(input.text).members?.map(({ name, value }) => html`<dt>${writtenJson(JSON.stringify(name))}</dt><dd><pre>${writtenJson(value.text)}</pre></dd>`)}
      </dl>
      ${asCurl(get(this.path))}
      ${status === 'pending' && mayDecide(approval) ? this.decision() : nothing}`;
  }

  decision() {
    return html`<h2>Your decision</h2>
      <p>An approved call is executed when its caller repeats it. A rejected one is refused, with your reason.</p>
      ${actionForm({
        label: 'Decide',
        buttons: Object.entries({ approve: 'Approve this call', reject: 'Reject' }),
        fields: [field('reason', 'Reason, for the caller', { kind: 'area', longest: 1000 })],
        request: ({ button: decision = 'approve', reason }) =>
          write('POST', `${this.path}/decision`, { decision, reason }),
        isFresh: () => true,
        parse,
        done: ({ approval }) => {
          this.loaded = approval;
        },
      })}`;
  }
}
customElements.define('approval-page', ApprovalPage);

/** Whether the signed-in Member may decide about a call. @param {Approval} approval */
const mayDecide = ({ userId, preventSelfApproval }) =>
  isOwner() && !(preventSelfApproval && userId === me.userId);
