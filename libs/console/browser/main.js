import { render } from 'lit';
import { problem } from './page.js';
import { finishSignIn, signIn, token } from './sign-in.js';

/** The pages: address, title, element, and the module that defines it. */
const pages = /** @type {const} */ ([
  [/^\/console\/?$|^\/console\/approvals$/, 'Approvals', 'approvals-page', () => import('./approvals.js')],
  [/^\/console\/approvals\/([^/]+)$/, 'Approval', 'approval-page', () => import('./approval.js')],
]);

const main = /** @type {HTMLElement} */ (document.querySelector('main'));

/** Shows the page of the present address. */
async function show() {
  const { pathname } = location;
  const [address, title, element, load] = pages.find(([at]) => at.test(pathname)) ?? [];
  const heading = Object.assign(document.createElement('h1'), { tabIndex: -1 });
  heading.textContent = title ?? 'There is no such page';
  document.title = `${heading.textContent} · Action Platform`;
  for (const link of document.querySelectorAll('nav a'))
    link.ariaCurrent = pathname.startsWith(link.getAttribute('href') ?? '') ? 'page' : null;
  await load?.();
  const name = decodeURIComponent(address?.exec(pathname)?.[1] ?? '');
  const page = element && Object.assign(document.createElement(element), { name });
  main.replaceChildren(heading, ...(page ? [page] : []));
  heading.focus();
}

// A link to another page keeps this document, and so the token.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.origin !== location.origin || !link.pathname.startsWith('/console')) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  show();
});
addEventListener('popstate', show);

/** Shows a failure instead of a page. @param {unknown} failure */
function fail(failure) {
  const isCancelled = /** @type {{ error?: string } | null} */ (failure)?.error === 'access_denied';
  const reason = document.createElement('div');
  render(problem(isCancelled ? 'The sign-in was cancelled.' : failure), reason);
  main.replaceChildren(reason);
}
addEventListener('unhandledrejection', ({ reason }) => fail(reason));

try {
  await finishSignIn();
  if (token() === undefined) await signIn();
  else await show();
} catch (failure) {
  fail(failure);
}
