import { html, nothing, render } from 'lit';
import { isOwner, loadMe, me, Refusal } from './api.js';
import { problem } from './page.js';
import { finishSignIn, isSignedIn, signedInUser, signIn, signOut, workspaces } from './sign-in.js';
import { shown } from './text.js';

/**
 * A page: its address below /console/ with a star for each name, its title, its element, the module that defines it, and where it
 * stands: `menu` in the navigation, `owner` in that of Owners, `hidden` in none for Owners.
 * @typedef {[address: string, title: string, tag: string, load: () => Promise<unknown>, place?: 'menu' | 'owner' | 'hidden']} PageEntry
 */
/** @type {PageEntry[]} */
const pages = [
  ['', 'Home', 'home-page', () => import('./home.js'), 'menu'],
  ['requests', 'Requests', 'requests-page', () => import('./requests.js'), 'menu'],
  ['approvals', 'Approvals', 'approvals-page', () => import('./approvals.js'), 'menu'],
  ['approvals/*', 'Approval', 'approval-page', () => import('./approval.js')],
  ['records', 'Records', 'records-page', () => import('./records.js'), 'menu'],
  ['records/*', 'Collection', 'collection-page', () => import('./records.js')],
  ['records/*/*', 'Record', 'record-page', () => import('./record.js')],
  ['grants', 'Grants', 'grants-page', () => import('./grants.js'), 'menu'],
  ['mail', 'Mail', 'mail-page', () => import('./mail.js'), 'menu'],
  ['connected', 'Mailbox', 'connected-page', () => import('./mailbox.js')],
  ['procedures', 'Procedures', 'procedures-page', () => import('./procedures.js'), 'menu'],
  ['procedures/*', 'Procedure', 'procedure-page', () => import('./procedures.js')],
  ['files', 'Files', 'files-page', () => import('./files.js'), 'menu'],
  ['playground', 'Playground', 'playground-page', () => import('./playground.js'), 'menu'],
  ['audit', 'Audit', 'audit-page', () => import('./requests.js'), 'owner'],
  ['members', 'Members', 'members-page', () => import('./members.js'), 'owner'],
  ['custom-operations', 'Custom operations', 'custom-operations-page', () => import('./custom.js'), 'owner'],
  ['webhooks', 'Webhooks', 'webhooks-page', () => import('./webhooks.js'), 'owner'],
  ['webhooks/*', 'Webhook', 'webhook-page', () => import('./webhook.js'), 'hidden'],
];

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const nav = /** @type {HTMLElement} */ (document.querySelector('nav'));
main.id = 'content';

/** Shows what stands below a heading, which takes the focus. @param {string} title @param {(HTMLElement | string)[]} content */
function showBelow(title, ...content) {
  const heading = Object.assign(document.createElement('h1'), { tabIndex: -1, textContent: title });
  document.title = `${title} · Action Platform`;
  main.replaceChildren(heading, ...content);
  heading.focus();
}

/** Shows the page of the present address. */
async function show() {
  const { href, pathname } = location;
  const present = pathname.replace(/^\/console\/?/, '');
  showMenu(present);
  for (const [address, title, tag, load, place] of pages) {
    const names = new RegExp(`^${address.replaceAll('*', '([^/]+)')}$`).exec(present)?.slice(1);
    if (names === undefined) continue;
    if (/owner|hidden/.test(place ?? '') && !isOwner())
      return showBelow(title, 'For Owners: ask one of your Workspace.');
    await load();
    // A page that somebody has left again while it loaded.
    if (href !== location.href) return;
    const page = Object.assign(document.createElement(tag), { names: names.map(decodeURIComponent) });
    return showBelow(title, page);
  }
  showBelow('There is no such page');
}

/** @param {string} present */
function showMenu(present) {
  const offered = pages.filter(([, , , , place]) => place === 'menu' || (place === 'owner' && isOwner()));
  render(
    html`<a class="skip" href="#content">To the content</a>
      ${offered.map(
        ([address, title]) => html`<a href="/console${address && `/${address}`}"
          aria-current=${present.split('/')[0] === address ? 'page' : 'false'}>${title}</a>`,
      )}
      <span class="who">${shown(me.displayName ?? me.userId)}, ${me.role}</span>
      ${workspaces.map((workspace) => html`<button type="button" @click=${() => signIn({ workspace })}>${workspace}</button>`)}
      <button type="button" @click=${leave}>Sign out</button>`,
    nav,
  );
}

async function leave() {
  dispatchEvent(new Event('signed-out'));
  await signOut();
  render(nothing, nav);
  fail('You are signed out.');
}

// A link to another page keeps this document, and so the token.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const isPage = link?.origin === location.origin && link.pathname.startsWith('/console') && !link.hash;
  if (!isPlain || !isPage) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  show();
});
addEventListener('popstate', show);

/** Shows a failure instead of a page. @param {unknown} failure */
function fail(failure) {
  const isCancelled = /** @type {{ error?: string } | null} */ (failure)?.error === 'access_denied';
  const reason = document.createElement('div');
  render([problem(isCancelled ? 'The sign-in was cancelled.' : failure), stranger(failure)], reason);
  main.replaceChildren(reason);
}
addEventListener('unhandledrejection', ({ reason }) => fail(reason));

/** The next step of a signed-in user who is no Member. @param {unknown} failure */
function stranger(failure) {
  if (!(failure instanceof Refusal) || failure.code !== 'workspace_membership_required') return nothing;
  const address = `${location.origin}/console/members?${new URLSearchParams({ add: signedInUser() })}`;
  return html`<p>Your user id is <code>${shown(signedInUser())}</code>. Send this link to an Owner of the Workspace, who can add you:</p>
    <p><code>${address}</code></p>
    <p><button type="button" @click=${leave}>Sign out</button></p>`;
}

try {
  await finishSignIn();
  if (!isSignedIn()) await signIn();
  else {
    await loadMe();
    await show();
  }
} catch (failure) {
  fail(failure);
}
