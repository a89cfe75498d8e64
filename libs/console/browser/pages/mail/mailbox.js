import { Page } from '../../elements/page.js';
import { optionsOf } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { check, field, select } from '../../forms/fields.js';
import { call, loadMe, path, write } from '../../platform/api.js';
import { keep, take } from '../../platform/kept.js';

/** @typedef {import('../../forms/edits.js').Values} Values */

/** The name under which the tab keeps the id of a sign-in at Microsoft. */
const PENDING = 'console-authorization';

const ofImap = { isShown: (/** @type {Values} */ { provider = 'imap' }) => provider === 'imap' };

/** The fields of a mailbox. @type {import('../../forms/edits.js').Field[]} */
export const mailboxFields = [
  field('email', 'Address', { isRequired: true }),
  select('provider', 'Kind', Object.entries({ imap: 'IMAP', local: 'a folder, in the local stack alone' })),
  field('host', 'Server', ofImap),
  { ...select('port', 'Port', optionsOf(['993', '143'])), ...ofImap },
  { ...check('starttls', 'Begins in plain text (STARTTLS, port 143)'), ...ofImap },
  field('login', 'User name, if it is not the address', ofImap),
  field('draftsFolder', 'Folder of drafts, if the server marks none', ofImap),
  field('secret', 'Password', { kind: 'password', ...ofImap }),
];

/** A mailbox as the API takes it, from the values of those fields. @param {Values} values */
export const newMailbox = ({ email, provider, port, host, starttls, login, draftsFolder, secret }) =>
  provider === 'local'
    ? { email, provider }
    : { email, provider, host, port: Number(port), starttls, login, draftsFolder, secret };

/** The dialog that leads to the sign-in at Microsoft 365. */
export const connectMicrosoft = actionDialog({
  opens: 'Connect Microsoft 365',
  text: 'You sign in at Microsoft, and allow the platform to make drafts. You come back to this page.',
  label: 'Sign in at Microsoft',
  fields: [field('email', 'Address, if it is not your user name there')],
  request: (body) => write('POST', '/api/v1/app-connections/authorizations', body),
  done: ({ id, authorizationUrl }) => {
    keep(PENDING, id);
    location.assign(authorizationUrl);
  },
});

/** Where Microsoft sends the browser back to. */
export default class ConnectedPage extends Page {
  /** The id of the sign-in, also for another try. @type {string | null} */
  pending = take(PENDING);

  async load() {
    history.replaceState(null, '', location.pathname);
    const { code, state, error } = Object.fromEntries(this.query);
    if (this.pending === null || error !== undefined)
      throw new Error('Microsoft connected no mailbox, or the sign-in did not begin in this tab.');
    await call(write('POST', path`/api/v1/app-connections/authorizations/${this.pending}`, { code, state }));
    await loadMe().catch(() => undefined);
    if (!this.isConnected) return;
    history.replaceState(null, '', '/console/mail');
    dispatchEvent(new PopStateEvent('popstate'));
  }
}
