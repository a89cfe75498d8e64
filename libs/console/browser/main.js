import { html, nothing, render } from 'lit';
import { isOwner, loadMe, me, Refusal } from './api.js';
import { problem } from './page.js';
import { finishSignIn, isSignedIn, signedInUser, signIn, signOut, workspaces } from './sign-in.js';
import { shown } from './text.js';

/**
 * The pages: address below /console/ with a star for each name, title, element, and the module that defines it. A page with `menu` is in
 * the navigation; one with `owner` is for Owners.
 *
 * @typedef {{ address: string, title: string, tag: string, load: () => Promise<unknown>, menu?: boolean, owner?: boolean }} PageEntry
 */
/** @type {PageEntry[]} */
const pages = [
  { address: '', title: 'Home', tag: 'home-page', load: () => import('./home.js'), menu: true },
  {
    address: 'requests',
    title: 'Requests',
    tag: 'requests-page',
    load: () => import('./requests.js'),
    menu: true,
  },
  {
    address: 'approvals',
    title: 'Approvals',
    tag: 'approvals-page',
    load: () => import('./approvals.js'),
    menu: true,
  },
  { address: 'approvals/*', title: 'Approval', tag: 'approval-page', load: () => import('./approval.js') },
  {
    address: 'records',
    title: 'Records',
    tag: 'records-page',
    load: () => import('./records.js'),
    menu: true,
  },
  { address: 'records/*', title: 'Collection', tag: 'collection-page', load: () => import('./records.js') },
  { address: 'records/*/*', title: 'Record', tag: 'record-page', load: () => import('./record.js') },
  { address: 'grants', title: 'Grants', tag: 'grants-page', load: () => import('./grants.js'), menu: true },
  { address: 'mail', title: 'Mail', tag: 'mail-page', load: () => import('./mail.js'), menu: true },
  { address: 'connected', title: 'Mailbox', tag: 'connected-page', load: () => import('./mailbox.js') },
  {
    address: 'procedures',
    title: 'Procedures',
    tag: 'procedures-page',
    load: () => import('./procedures.js'),
    menu: true,
  },
  {
    address: 'procedures/*',
    title: 'Procedure',
    tag: 'procedure-page',
    load: () => import('./procedures.js'),
  },
  { address: 'files', title: 'Files', tag: 'files-page', load: () => import('./files.js'), menu: true },
  {
    address: 'playground',
    title: 'Playground',
    tag: 'playground-page',
    load: () => import('./playground.js'),
    menu: true,
  },
  {
    address: 'audit',
    title: 'Audit',
    tag: 'audit-page',
    load: () => import('./requests.js'),
    menu: true,
    owner: true,
  },
  {
    address: 'members',
    title: 'Members',
    tag: 'members-page',
    load: () => import('./members.js'),
    menu: true,
    owner: true,
  },
  {
    address: 'webhooks',
    title: 'Webhooks',
    tag: 'webhooks-page',
    load: () => import('./webhooks.js'),
    menu: true,
    owner: true,
  },
  {
    address: 'webhooks/*',
    title: 'Webhook',
    tag: 'webhook-page',
    load: () => import('./webhook.js'),
    owner: true,
  },
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
  const address = location.pathname.replace(/^\/console\/?/, '');
  const match = (/** @type {PageEntry} */ { address: pattern }) =>
    new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`).exec(address);
  const page = pages.find(match);
  showMenu(address);
  if (page === undefined) return showBelow('There is no such page');
  if (page.owner && !isOwner()) return showBelow(page.title, 'This page is for Owners.');
  await page.load();
  const names = (match(page) ?? []).slice(1).map(decodeURIComponent);
  showBelow(page.title, Object.assign(document.createElement(page.tag), { names }));
}

/** @param {string} present */
function showMenu(present) {
  const link = (/** @type {PageEntry} */ { address, title }) =>
    html`<a href="/console${address && `/${address}`}" aria-current=${present.split('/')[0] === address ? 'page' : 'false'}>${title}</a>`;
  const offered = pages.filter(({ menu, owner }) => menu && (!owner || isOwner()));
  render(
    html`<a class="skip" href="#content">To the content</a>${offered.map(link)}
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
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (
    !link ||
    !isPlain ||
    link.origin !== location.origin ||
    link.hash ||
    !link.pathname.startsWith('/console')
  )
    return;
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

/** What a signed-in user who is no Member can do. @param {unknown} failure */
function stranger(failure) {
  if (!(failure instanceof Refusal) || failure.code !== 'workspace_membership_required') return nothing;
  const address = `${location.origin}/console/members?${new URLSearchParams({ add: signedInUser() })}`;
  return html`<p>Your user id is <code>${shown(signedInUser())}</code>. Send this link to an Owner of the Workspace, who can add you:</p>
    <p><code>${address}</code></p>`;
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
