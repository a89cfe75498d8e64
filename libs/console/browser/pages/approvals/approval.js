import { html, nothing } from 'lit';
import { jsonView } from '../../elements/json.js';
import { link, requestLink } from '../../elements/links.js';
import { doneBy, nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import {
  asCurl,
  callout,
  card,
  countOf,
  factList,
  icon,
  idOf,
  listOf,
  stateBadge,
  timeOf,
} from '../../elements/view.js';
import { inWords } from '../../forms/condition-values.js';
import { field } from '../../forms/fields.js';
import { actionForm } from '../../forms/form.js';
import {
  APPROVAL_RULES,
  CUSTOM_OPERATIONS,
  call,
  canDecide,
  get,
  isOwner,
  me,
  operation,
  path,
  write,
} from '../../platform/api.js';
import { effectOf, goesTo } from '../../text/effect.js';
import { grantAddress } from '../../text/grant-address.js';
import { keeping, shown } from '../../text/text.js';
import { statusWords } from './approvals.js';
import { exactRules } from './rules.js';

/** @typedef {import('@action-platform/contracts/resources').Approval} Approval */
/** @typedef {import('@action-platform/contracts/resources').ApprovalRule} ApprovalRule */
/** @typedef {Approval & { input: import('../../text/text.js').JsonText }} Held */

const parse = keeping('input');

/** One call, whole, and the decision about it. */
export default class ApprovalPage extends Page {
  crumbs = () => [link('approvals', 'Approvals')];
  /** @type {ApprovalRule[]} */
  rules = [];
  /** The definition of a custom operation, which Owners see. @type {any} */
  definition = undefined;
  /** Whether this page has made the call. Its approval stays approved when no rule holds the call any more. */
  isDone = false;

  get path() {
    return path`/api/v1/approvals/${this.names[0] ?? ''}`;
  }

  async load() {
    /** @type {Held} */
    const approval = (await call(get(this.path), { parse })).approval;
    if (isOwner()) {
      const { operation } = approval;
      const defined = operation.startsWith('custom.')
        ? call(get(CUSTOM_OPERATIONS + path`/${operation}`))
        : { operation: undefined };
      const [ruled, { operation: definition }] = await Promise.all([
        call(get(APPROVAL_RULES), { parse: exactRules }),
        defined,
      ]);
      [this.rules, this.definition] = [ruled.rules, definition];
    }
    this.loaded = approval;
  }

  head() {
    /** @type {Held | undefined} */
    const approval = this.loaded;
    if (approval === undefined) return {};
    const { operation, grantId, userId, requestedAt, lapsesAt, status } = approval;
    const who = html`<strong>${grantId ? nameOf('grant', grantId) : nameOf('member', userId)}</strong> asks${grantId ? html` as ${nameOf('member', userId)}` : nothing}`;
    const lapses = status === 'pending' ? html` · lapses ${timeOf(lapsesAt)}` : nothing;
    const words = canDecide(approval) ? 'waits for you' : statusWords(status);
    return {
      title: nameOf('operation', operation),
      about: html`${who} · ${timeOf(requestedAt)}${lapses}`,
      actions: html`<span role="status">${stateBadge(status, words)}</span>`,
    };
  }

  content() {
    /** @type {Held} */
    const approval = this.loaded;
    const { title, text } = effectOf(approval);
    const isOwn = approval.userId === me.userId && !approval.grantId;
    const isRepeated = isOwn && approval.status === 'approved' && !this.isDone;
    const then = 'After you approve it, its caller sends it again, and it is done once.';
    const place = this.definition && html`The endpoint is <code>${shown(goesTo(this.definition))}</code>. `;
    const effect = callout(title, html`<p>${text} ${place}${then}</p>`, approval.isDestructive ? 'warn' : '');
    return html`${approval.status === 'pending' ? effect : nothing}
      <div class="two">
        ${card(
          'The exact call',
          html`<div class="body">${jsonView(approval.input.text)} ${canDecide(approval) ? nothing : asCurl(get(this.path))}</div>
          ${canDecide(approval) ? html`<div class="decide">${this.decision()}</div>` : nothing}
          ${isRepeated ? html`<div class="decide">${this.repetition()}</div>` : nothing}`,
          {
            hint: html`all of it, as sent; hidden characters are written out, such as <code>\\u202e</code>`,
            flush: true,
          },
        )}
        ${card('Who asks', factList([...factsOf(approval), ['Held by', holdersOf(approval, this.rules)]]))}
      </div>`;
  }

  /** The form that sends an approved call of the Member's session, because the form that sent it first may no longer have its key. */
  repetition() {
    const { operation: id, input, idempotencyKey: key } = this.loaded;
    return actionForm({
      label: 'Do it now',
      request: () => ({ ...operation(id, input), ...(key && { headers: { 'Idempotency-Key': key } }) }),
      isRepeatable: key !== null,
      done: async () => {
        this.isDone = true;
        await this.attempt(() => this.load());
        await this.show('The call was done.');
      },
    });
  }

  decision() {
    return actionForm({
      label: 'Decide',
      buttons: [
        ['reject', html`${icon('x')}Reject`, 'danger'],
        ['approve', html`${icon('check')}Approve this call`, 'good'],
      ],
      // Enter in a field of one line would send the first button, which rejects.
      fields: [field('reason', 'Reason, for the caller', { kind: 'area', longest: 1000 })],
      request: ({ button: decision = 'approve', reason }) =>
        write('POST', `${this.path}/decision`, { decision, reason: reason?.trim() }),
      isFresh: () => true,
      parse,
      done: ({ approval }) => {
        this.loaded = approval;
      },
    });
  }
}

/** @param {Held} approval @returns {[string, unknown][]} */
const factsOf = ({ operation, userId, grantId, via, ...approval }) => [
  ['Operation', html`<code>${shown(operation)}</code>`],
  ['Acts as', nameOf('member', userId)],
  [
    'With',
    grantId
      ? html`${link(grantAddress(grantId), nameOf('grant', grantId))}, ${via.replace('_', ' ')} ${idOf(grantId)}`
      : 'a session',
  ],
  ['Run', approval.invocationId && shown(approval.invocationId)],
  ['Request', requestLink(approval.requestId)],
  ['Key', approval.idempotencyKey && html`<code>${shown(approval.idempotencyKey)}</code>`],
  ['Approver', approval.preventSelfApproval && 'another Owner or approver'],
  ['Before', approval.formerId && link(`approvals/${approval.formerId}`, decidedBefore(approval))],
  ['Decided', approval.decidedAt && doneBy(approval.decidedAt, approval.decidedBy ?? '')],
  ['Reason', approval.reason && shown(approval.reason)],
  ['Executed', approval.usedAt && timeOf(approval.usedAt)],
  ['By request', approval.usedRequestId && requestLink(approval.usedRequestId)],
  ['Approval', idOf(approval.id)],
];

/** How equal calls were decided before. @param {Pick<Held, 'before'>} approval */
const decidedBefore = ({ before: { approved, rejected } = { approved: 0, rejected: 0 } }) =>
  approved + rejected === 0
    ? 'an equal call, which nobody decided'
    : `${countOf(approved, 'equal call')} approved, ${rejected} rejected`;

/** The rules that held a call, with their conditions as they are now, which Owners see. @param {Held} approval @param {ApprovalRule[]} rules */
const holdersOf = ({ heldBy = [] }, rules) =>
  heldBy.length > 0 &&
  listOf(heldBy, ({ rule, when = [] }) => {
    const conditions = when.flatMap((/** @type {number} */ place) => rules[rule]?.when?.[place] ?? []);
    const words = conditions.map(inWords).join(' and ');
    return html`rule ${rule + 1}${words ? html` (as it is now: <code>${shown(words)}</code>)` : nothing}`;
  });
