import { html, nothing } from 'lit';
import './rules.js';
import { call } from './api.js';
import { written } from './exact.js';
import { localTime, Page } from './page.js';

/** @typedef {import('@action-platform/contracts').ListedApproval} ListedApproval */

/** The calls that wait for an Owner, and the rules. */
class ApprovalsPage extends Page {
  /** @override */
  async load() {
    const { approvals = [], nextCursor: cursor } = this.loaded ?? {};
    const query = new URLSearchParams({ status: 'pending', ...(cursor && { cursor }) });
    const next = await call(`/api/v1/approvals?${query}`);
    this.loaded = { approvals: [...approvals, ...next.approvals], nextCursor: next.nextCursor };
  }

  /** @override */
  content() {
    /** @type {{ approvals: ListedApproval[], nextCursor: string | null }} */
    const { approvals, nextCursor } = this.loaded;
    return html`${approvals.length === 0 ? html`<p>No call waits.</p>` : nothing}
      <ul class="entries">
        ${approvals.map(
          ({ id, operation, userId, grantId, requestedAt, lapsesAt }) => html`<li>
            <a href="/console/approvals/${id}">${operation}</a>
            <p>
              for ${written(userId)}${grantId === undefined ? nothing : html` with grant ${grantId}`}, asked
              ${localTime(requestedAt)}, lapses ${localTime(lapsesAt)}
            </p>
          </li>`,
        )}
      </ul>
      ${
        nextCursor === null
          ? nothing
          : html`<button type="button" @click=${() => this.attempt(() => this.load())}>More</button>`
      }
      <approval-rules></approval-rules>`;
  }
}
customElements.define('approvals-page', ApprovalsPage);
