import { html, nothing } from 'lit';
import { call } from './api.js';
import { parseExact, written } from './exact.js';
import { factList, freshSignIn, localTime, Page } from './page.js';
import { isFresh } from './sign-in.js';

/** @typedef {import('@action-platform/contracts').Approval} Approval */

const STATUS = {
  pending: 'waits for an Owner',
  approved: 'is approved, and not executed yet',
  rejected: 'is rejected',
  used: 'was approved and executed',
  lapsed: 'has lapsed',
};

/** One call, whole, and the decision about it. */
class ApprovalPage extends Page {
  get path() {
    return `/api/v1/approvals/${encodeURIComponent(this.name)}`;
  }

  /** @override */
  async load() {
    this.loaded = (await call(this.path, { parse: parseExact })).approval;
  }

  /** @override */
  content() {
    /** @type {Approval} */
    const approval = this.loaded;
    const { status, operation, isDestructive, formerId, input } = approval;
    return html`<p role="status">This call <strong>${STATUS[status]}</strong>.</p>
      ${factList([
        ['Operation', html`<code>${operation}</code>`],
        ['Effect', isDestructive ? html`<strong>It cannot be undone.</strong>` : 'It can be undone.'],
        ['For', written(approval.userId)],
        ['By', approval.grantId ? html`${approval.via.replace('_', ' ')} ${approval.grantId}` : 'a session'],
        ['Approver', approval.preventSelfApproval ? 'another Owner' : undefined],
        ['Run', approval.invocationId && written(approval.invocationId)],
        ['Asked', localTime(approval.requestedAt)],
        ['Request', written(approval.requestId)],
        ['Lapses', localTime(approval.lapsesAt)],
        ['Idempotency key', approval.idempotencyKey && written(approval.idempotencyKey)],
        ['Equal call before', formerId && html`<a href="/console/approvals/${formerId}">${formerId}</a>`],
        [
          'Decided',
          approval.decidedAt && html`${localTime(approval.decidedAt)} by ${written(approval.decidedBy)}`,
        ],
        ['Reason', approval.reason && written(approval.reason)],
        [
          'Executed',
          approval.usedAt && html`${localTime(approval.usedAt)}, request ${written(approval.usedRequestId)}`,
        ],
      ])}
      <h2>What it sends</h2>
      <p>All of it, as sent. Control, bidirectional and invisible characters are written out, such as <code>\\u202e</code>.</p>
      <dl class="input">
        ${Object.entries(input).map(([name, value]) => html`<dt>${written(name)}</dt><dd><pre>${written(value)}</pre></dd>`)}
      </dl>
      ${status === 'pending' ? this.decision() : nothing}`;
  }

  decision() {
    /** @param {SubmitEvent} event */
    const decide = (event) => {
      event.preventDefault();
      const form = /** @type {HTMLFormElement} */ (event.target);
      const entries = Object.fromEntries(new FormData(form, event.submitter));
      const body = { decision: entries.decision, ...(entries.reason && { reason: entries.reason }) };
      const options = { method: 'POST', body, parse: parseExact };
      this.attempt(async () => {
        this.loaded = (await call(`${this.path}/decision`, options)).approval;
      });
    };
    return html`<h2>Decision of an Owner</h2>
      ${freshSignIn()}
      ${
        isFresh()
          ? html`<form @submit=${decide}>
            <label>Reason, for the caller <textarea name="reason" maxlength="1000"></textarea></label>
            <p>
              <button name="decision" value="approve">Approve this call</button>
              <button name="decision" value="reject">Reject</button>
            </p>
          </form>`
          : nothing
      }`;
  }
}
customElements.define('approval-page', ApprovalPage);
