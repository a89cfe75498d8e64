import { html, nothing, render } from 'lit';
import './elements/copy-button.js';
import { go, Page } from './elements/page.js';
import { problem } from './elements/problem.js';
import { Frame } from './frame/frame.js';
import { groups } from './frame/navigation.js';
import { isOwner, loadMe, Refusal } from './platform/api.js';
import { finishSignIn, isSignedIn, signedInUser, signIn, signOut } from './platform/sign-in.js';
import { shown } from './text/text.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const frame = new Frame(/** @type {HTMLElement} */ (document.querySelector('body > header > nav')));
main.id = 'content';

/** The path and the query of the page that is shown. */
let present = '';

/** Puts a page in the place of another. @param {string} title @param {Element} page */
function place(title, page) {
  frame.entitle(title);
  const dialogs = /** @type {NodeListOf<HTMLDialogElement>} */ (
    document.querySelectorAll('body > dialog, thing-finder > dialog')
  );
  for (const dialog of dialogs) dialog.close();
  main.replaceChildren(page);
}

/** Shows a text with a heading, which takes the focus. @param {string} title @param {unknown} content */
function tell(title, content) {
  const page = document.createElement('div');
  render(html`<div class="head"><div><h1 tabindex="-1">${title}</h1></div></div>${content}`, page);
  place(title, page);
  page.querySelector('h1')?.focus();
}

/** Shows the page of the present address. */
async function show() {
  if (!isSignedIn()) return;
  const { pathname, search } = location;
  const address = pathname + search;
  present = address;
  const below = pathname.replace(/^\/console\/?/, '');
  frame.show(below);
  for (const [pattern, title, , load, isForOwners = false] of Object.values(groups).flat()) {
    const names = new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`).exec(below)?.slice(1);
    if (names === undefined) continue;
    if (isForOwners && !isOwner()) return tell(title, html`<p>For Owners: ask one of your Workspace.</p>`);
    main.setAttribute('aria-busy', 'true');
    const { default: Shown } = await load().finally(() => main.removeAttribute('aria-busy'));
    // The Member left the page, or signed out, while its module loaded.
    if (address !== present || !isSignedIn()) return;
    if (customElements.getName(Shown) === null)
      customElements.define(`${title.toLowerCase().replaceAll(' ', '-')}-page`, Shown);
    const page = Object.assign(new Shown(), { entry: title, names: names.map(decodeURIComponent) });
    place(title, page);
    scrollTo(0, 0);
    await page.updateComplete;
    page.querySelector('h1')?.focus();
    return;
  }
  tell('There is no such page', html`<p>No page has this address. <a href="/console">Go to Home</a></p>`);
}

async function leave() {
  if (!mayLeave()) return;
  dispatchEvent(new Event('signed-out'));
  frame.close();
  tell(
    'You are signed out',
    html`<p><button type="button" @click=${() => signIn()}>Sign in again</button></p>`,
  );
  await signOut();
}
addEventListener('leave', leave);

addEventListener('go', (event) => {
  if (!mayLeave()) return;
  history.pushState(null, '', /** @type {CustomEvent<string>} */ (event).detail);
  show().catch(fail);
});

// A link to another page keeps this document, and so the token.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const isPage =
    link?.origin === location.origin && link.pathname.startsWith('/console') && !link.hash && !link.target;
  if (!isPlain || !isPage) return;
  event.preventDefault();
  go(link.href);
});
addEventListener('popstate', () => {
  // A fragment is a place of the page that is shown.
  if (location.pathname + location.search === present) return;
  if (mayLeave()) show().catch(fail);
  else history.pushState(null, '', present);
});

/** Whether the page has a secret that nobody has copied. */
const hasSecret = () => document.querySelector('.secret:not(.copied)') !== null;
/** Whether the page may go. The console asks when a secret would be lost. */
const mayLeave = () =>
  !hasSecret() ||
  confirm('The secret on this page has not been copied, and is shown nowhere else. Leave it?');

document.addEventListener('copied', ({ target }) => {
  const { text } = /** @type {any} */ (target);
  for (const secret of document.querySelectorAll('.secret'))
    if (secret.textContent === text) secret.classList.add('copied');
});
addEventListener('beforeunload', (event) => hasSecret() && event.preventDefault());

/** Shows a failure instead of a page. @param {unknown} failure */
function fail(failure) {
  const isCancelled = /** @type {{ error?: string } | null} */ (failure)?.error === 'access_denied';
  const isStranger = failure instanceof Refusal && failure.code === 'workspace_membership_required';
  const title = isStranger ? 'You are no Member yet' : isSignedIn() ? 'This page failed' : 'Sign in';
  tell(
    title,
    html`${problem(isCancelled ? 'The sign-in was cancelled.' : failure)}${isStranger ? stranger() : nothing}`,
  );
}
addEventListener('unhandledrejection', ({ reason }) => {
  const page = main.firstElementChild;
  if (page instanceof Page && page.failure === undefined)
    Object.assign(page, { step: () => page.load(), failure: reason });
  else if (!hasSecret()) fail(reason);
});

/** The next step of a signed-in user who is no Member. */
function stranger() {
  const address = `${location.origin}/console/members?${new URLSearchParams({ add: signedInUser() })}`;
  return html`<p>Your user id is <code>${shown(signedInUser())}</code>. Send this link to an Owner of the Workspace, who can add you:</p>
    <p><code>${address}</code></p>
    <p><copy-button .text=${address} .label=${'Copy the link'}></copy-button> <button type="button" @click=${leave}>Sign out</button></p>`;
}

try {
  await finishSignIn();
  if (!isSignedIn()) await signIn();
  else {
    await loadMe();
    await show();
    frame.follow((type) => /** @type {Page | null} */ (main.firstElementChild)?.follow?.(type));
  }
} catch (failure) {
  fail(failure);
}
