import { html, nothing } from 'lit';
import { Refusal } from './api.js';
import { problemsOf } from './field-problems.js';
import { isSignedIn, signIn } from './sign-in.js';
import { shown } from './text.js';
import { icon, requestLink } from './view.js';

/** The codes after which the same call may succeed, so a button is all that a person needs. */
const REPEATABLE = [
  'action_platform_unavailable',
  'custom_endpoint_unavailable',
  'no_answer',
  'action_infrastructure_failure',
];

/**
 * Why something failed, and what to do. The fields of a form show their own problems.
 * @param {unknown} failure
 * @param {readonly { name: string }[]} [fields]
 * @param {() => unknown} [again] repeats the step that failed
 */
export function problem(failure, fields = [], again) {
  if (failure === undefined) return nothing;
  const { rest: message, isOfFields } = problemsOf(failure, fields);
  if (message === '') return nothing;
  const refusal = failure instanceof Refusal ? failure : undefined;
  const isRepeatable = refusal === undefined || REPEATABLE.includes(refusal.code);
  const needsSignIn = !isSignedIn() || /token/.test(refusal?.code ?? '');
  return html`<div role="alert" class="callout bad">${icon('triangle-alert')}<div>
    <p><strong>${shown(message)}</strong></p>
    ${isRepeatable || isOfFields ? nothing : html`<p>${shown(refusal.next)}</p>`}
    ${refusal?.requestId ? html`<p><small>Request ${requestLink(refusal.requestId)}</small></p>` : nothing}
    ${needsSignIn ? html`<p>${signInButton('Sign in')}</p>` : nothing}
    ${again && isRepeatable && !needsSignIn ? html`<p><button type="button" @click=${again}>${icon('refresh-cw')}Try again</button></p>` : nothing}
  </div></div>`;
}

/** The button for a fresh sign-in, which a form shows before a decision of a person. @param {() => void} keep keeps what was entered */
export const freshSignIn = (keep) =>
  html`<div class="callout warn">${icon('shield-check')}<div><p>This takes a sign-in of the last minutes, and yours is older. You return to this page afterwards, with what you have entered.</p>
    <p>${signInButton('Sign in again', () => {
      keep();
      return signIn({ fresh: true });
    })}</p></div></div>`;

/** @param {string} label @param {() => Promise<void>} begin */
const signInButton = (label, begin = signIn) =>
  html`<button type="button" @click=${() => begin()}>${label}</button>`;
