import { html } from 'lit';
import { call, path } from './api.js';
import { optionsOf } from './form.js';
import { go, Page } from './page.js';

/** @typedef {import('./form.js').Values} Values */
/** @typedef {import('./form.js').Field} Field */

/** Where the id of a sign-in at Microsoft is kept until the browser comes back. */
const PENDING = 'console-authorization';

const isImap = (/** @type {Values} */ { provider = 'imap' }) => provider === 'imap';

/** The fields of a mailbox. @type {Field[]} */
export const mailboxFields = [
  { name: 'email', label: 'Address', isRequired: true },
  {
    name: 'provider',
    label: 'Kind',
    kind: 'select',
    options: optionsOf(['imap', 'local']),
    hint: 'local: a folder, in the local stack alone',
  },
  { name: 'host', label: 'Server', isShown: isImap },
  { name: 'port', label: 'Port', kind: 'select', options: optionsOf(['993', '143']), isShown: isImap },
  { name: 'starttls', label: 'Begins in plain text (STARTTLS, port 143)', kind: 'check', isShown: isImap },
  { name: 'login', label: 'User name, if it is not the address', isShown: isImap },
  { name: 'draftsFolder', label: 'Folder of drafts, if the server marks none', isShown: isImap },
  { name: 'secret', label: 'Password', kind: 'password', isShown: isImap },
];

/** A mailbox as the API takes it, from the values of those fields. @param {Values} values */
export function newMailbox({ email, provider, host, port, starttls, login, draftsFolder, secret }) {
  if (provider === 'local') return { email, provider };
  return {
    email,
    provider,
    host,
    ...(port && { port: Number(port) }),
    starttls,
    login,
    draftsFolder,
    secret,
  };
}

/** The form that leads to the sign-in at Microsoft 365. @type {import('./form.js').FormOptions} */
export const connectMicrosoft = {
  label: 'Sign in at Microsoft',
  fields: [{ name: 'email', label: 'Address, if it is not your user name there' }],
  request: (body) => ({ method: 'POST', path: '/api/v1/app-connections/authorizations', body }),
  done: ({ id, authorizationUrl }) => {
    sessionStorage.setItem(PENDING, id);
    location.assign(authorizationUrl);
  },
};

/** Where Microsoft sends the browser back to. */
class ConnectedPage extends Page {
  /** @override */
  async load() {
    const id = sessionStorage.getItem(PENDING);
    sessionStorage.removeItem(PENDING);
    history.replaceState(null, '', location.pathname);
    const { code, state, error } = Object.fromEntries(this.query);
    if (id === null || error !== undefined)
      throw new Error('Microsoft connected no mailbox, or the sign-in did not begin in this tab.');
    await call({
      method: 'POST',
      path: path`/api/v1/app-connections/authorizations/${id}`,
      body: { code, state },
    });
    go('/console/mail');
  }

  /** @override */
  content() {
    return html`<p>The mailbox is connected.</p>`;
  }
}
customElements.define('connected-page', ConnectedPage);
