import { html } from 'lit';
import { link, outside } from '../../elements/links.js';
import { Page } from '../../elements/page.js';
import { callout, card, factList } from '../../elements/view.js';
import { field } from '../../forms/fields.js';
import { actionForm } from '../../forms/form.js';
import { call, get, isOwner, me, queryOf, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { canBeHeld, operationsField } from '../approvals/rules.js';
import { endField, reachFields, withData } from './new-grant.js';

const PATH = '/api/v1/agent-authorizations';
/** The days until a program is disconnected by default. */
const DEFAULT_DAYS = 30;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** The request of a program, in the query of the address, and the permissions that the Member gives. */
export default class ConnectPage extends Page {
  /** Where the browser goes once the program was allowed. */
  redirectTo = '';

  async load() {
    const { client_id, redirect_uri } = this.asked;
    const [asked, { operations }] = await Promise.all([
      call(get(PATH, { client_id, redirect_uri })),
      call(get('/api/v1/operations')),
    ]);
    const allowed = new Set(asked.operations);
    this.loaded = { ...asked, operations: operations.filter((/** @type {any} */ { id }) => allowed.has(id)) };
  }

  head() {
    const name = this.loaded?.client.name;
    return {
      title: name ? html`Connect ${shown(name)}` : 'Connect a program',
      about: 'It will act as you, with what you tick and no more, until you end it.',
    };
  }

  content() {
    const { client, operations, maxDays } = this.loaded;
    const { asked, redirectTo } = this;
    const back = redirectTo && html`<a href=${redirectTo}>${shown(client.name)}</a>`;
    if (redirectTo)
      return callout(
        'It is connected',
        html`<p>Go back to ${back}. What it does and its end are among the ${link('grants?kind=agent', 'agents')}.</p>`,
        'good',
      );
    const reads = operations.filter((/** @type {any} */ each) => !canBeHeld(each));
    const form = actionForm({
      label: 'Allow it',
      fields: [
        operationsField(operations, {
          value: reads.map((/** @type {any} */ { id }) => id),
          hint: 'Operations that read are ticked, those that write are not. Your rules of approvals hold what it writes.',
        }),
        ...reachFields({
          hint: 'An operation on Records reaches the Collections that you tick, and no others; so it is with mailboxes and files.',
        }),
        field('name', 'Name of your own for it', { longest: 100 }),
        endField(Math.min(DEFAULT_DAYS, maxDays), { hint: `at most ${maxDays} days ahead` }),
      ],
      request: (values) =>
        write('POST', PATH, {
          clientId: asked.client_id,
          redirectUri: asked.redirect_uri,
          codeChallenge: asked.code_challenge,
          resource: asked.resource,
          state: asked.state,
          ...withData(values),
        }),
      isFresh: () => true,
      isRepeatable: false,
      done: (answer) => this.leave(answer.redirectTo),
    });
    return html`${this.who(client)}
      ${card('What you allow it', html`${form}<p><button type="button" @click=${this.deny}>Do not allow it</button></p>`)}`;
  }

  /** @param {{ id: string, name: string, uri?: string }} client */
  who({ id, name, uri }) {
    const { protocol, hostname, host } = new URL(this.asked.redirect_uri ?? '');
    const isHere = LOOPBACK.includes(hostname);
    const answer = isHere ? `a program on this computer (${host})` : host || `the app of ${protocol}`;
    const role = isOwner() ? 'an Owner, who may do everything' : 'a Member';
    return card(
      'Who asks',
      html`${callout('Nobody vouches for this name', 'Any program can call itself so. Allow it only if you have just begun to connect it yourself.')}
        ${factList([
          ['It calls itself', html`<strong>${shown(name)}</strong>`],
          ['Its page', uri && outside(uri, uri)],
          ['Its id', /^https:/.test(id) ? shown(id) : 'a registration, which any program can make'],
          ['The answer goes to', shown(answer)],
          ['It acts as', html`${shown(me.displayName ?? me.userId)}, ${role}`],
        ])}`,
    );
  }

  /** @param {string} redirectTo */
  leave(redirectTo) {
    this.redirectTo = redirectTo;
    this.requestUpdate();
    location.assign(redirectTo);
  }

  /**
   * The program receives the answer that nothing was allowed (RFC 6749, section 4.1.2.1; RFC 9207). The platform has checked its address.
   */
  deny = () => {
    const { redirect_uri: uri = '', state, resource = '' } = this.asked;
    const answer = queryOf({ error: 'access_denied', state, iss: resource.replace(/\/mcp$/, '') });
    location.assign(`${uri}${uri.includes('?') ? '&' : '?'}${answer}`);
  };
}
