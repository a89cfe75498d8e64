import { html, nothing } from 'lit';
import { Refusal } from '../platform/api.js';
import { isSignedIn, signIn } from '../platform/sign-in.js';
import { problemsOf } from '../text/field-problems.js';
import { shown } from '../text/text.js';
import { requestLink } from './links.js';
import { icon } from './view.js';

/** The codes after which the same call may succeed, so a button is all that a person needs. */
const REPEATABLE = [
  'action_platform_unavailable',
  'custom_endpoint_unavailable',
  'no_answer',
  'action_infrastructure_failure',
];

/** A failure with its next step. The fields of a form show their own faults. @param {unknown} failure @param {readonly { name: string }[]} [fields] @param {() => unknown} [again] repeats the step that failed @param {() => void} [keep] keeps the entered values before a sign-in */
export function problem(failure, fields = [], again, keep) {
  if (failure === undefined) return nothing;
  const { ofForm: message, isOfFields } = problemsOf(failure, fields);
  if (message === '') return nothing;
  const refusal = failure instanceof Refusal ? failure : undefined;
  const isRepeatable = refusal === undefined || REPEATABLE.includes(refusal.code);
  const needsSignIn = !isSignedIn() || /token/.test(refusal?.code ?? '');
  return html`<div role="alert" class="callout bad">${icon('triangle-alert')}<div>
    <p><strong>${shown(message)}</strong></p>
    ${isRepeatable || isOfFields ? nothing : html`<p>${shown(refusal.next)}</p>`}
    ${refusal?.requestId ? html`<p><small>Request ${requestLink(refusal.requestId)}</small></p>` : nothing}
    ${needsSignIn ? html`<p>${signInButton('Sign in', keep)}</p>` : nothing}
    ${again && isRepeatable && !needsSignIn ? html`<p><button type="button" @click=${again}>${icon('refresh-cw')}Try again</button></p>` : nothing}
  </div></div>`;
}

/** The button for a fresh sign-in, which a form shows before a decision of a person. @param {() => void} keep keeps the entered values */
export const freshSignIn = (keep) =>
  html`<div class="callout warn">${icon('shield-check')}<div><p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards, with what you have entered.</p>
    <p>${signInButton('Sign in again', keep, true)}</p></div></div>`;

/** @param {string} label @param {(() => void) | undefined} keep @param {boolean} [fresh] */
const signInButton = (label, keep, fresh = false) =>
  html`<button type="button" @click=${() => {
    keep?.();
    return signIn({ fresh });
  }}>${label}</button>`;
