import { html, nothing } from 'lit';
import { buttonTo, guide, link } from '../../elements/links.js';
import { doneBy } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { pagedTable } from '../../elements/table.js';
import { countOf, emptyState, stateBadge, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { field, select } from '../../forms/fields.js';
import { CUSTOM_OPERATIONS, call, get, path, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { connectorOf, valuesOfConnector } from './connector-values.js';

/** @typedef {import('@action-platform/contracts/operations').Connector} Connector */

export const CONNECTORS = '/api/v1/connectors';
const FIXED = 'fixed for good';
const KINDS = { http: 'a REST API', mcp: 'an MCP server' };
/** The ways to sign in at an API. @type {Record<string, string>} */
const AUTHS = {
  bearer: 'a bearer token',
  header: 'a header with a secret',
  basic: 'a login and a password (Basic)',
  client_credentials: 'a client of OAuth 2.0',
  platform: 'the token of this platform',
  none: 'nothing',
};
const WITHOUT_SECRET = ['none', 'platform'];

/** The APIs and MCP servers of the company, for Owners. */
export default class ConnectorsPage extends Page {
  async load() {
    const { operations } = await call(get(CUSTOM_OPERATIONS));
    this.loaded = operations.filter((/** @type {any} */ { status }) => status === 'active');
  }

  head() {
    return {
      about: 'APIs and MCP servers that your company has already, each with its credential, named once.',
      actions: actionDialog({ opens: 'Add a connector', tone: 'primary', ...contentOf() }),
    };
  }

  content() {
    return pagedTable({
      caption: 'Connectors, by name',
      request: get(CONNECTORS),
      rows: 'connectors',
      isWhole: true,
      words: ({ name, baseUrl }) => [name, baseUrl],
      columns: {
        Connector: ({ name, baseUrl }) => titled(link(`connectors/${name}`, name), shown(baseUrl)),
        State: ({ status }) => stateBadge(status),
        Kind: ({ kind }) => KINDS[/** @type {'http'} */ (kind)],
        Authenticates: ({ auth, secretHint }) => authOf(auth, secretHint),
        Operations: ({ name }) => this.operationsOf(name),
        Changed: ({ updatedAt, updatedBy }) => doneBy(updatedAt, updatedBy),
        '': (row) => this.changes(row),
      },
      empty: emptyState(
        'cable',
        'There is no connector yet',
        'For example: your shop’s API with its key, whose operations agents may then call without ever seeing the key.',
        guide('connectors', 'GitHub, a shop and an MCP server in five minutes each'),
      ),
    });
  }

  /** @param {string} name */
  operationsOf(name) {
    const number = this.loaded.filter((/** @type {any} */ { target }) => target?.connector === name).length;
    return number === 0 ? 'none' : link(`custom-operations?q=${name}`, countOf(number, 'operation'));
  }

  /** @param {Connector} connector */
  changes(connector) {
    const { name, kind, status } = connector;
    if (status === 'removed') return actionDialog({ opens: 'Bring back', ...contentOf(connector) });
    const removal = actionDialog({
      opens: 'Remove',
      tone: 'danger',
      text: 'Its secret is deleted, and the next call of each of its operations fails. Its name keeps its kind and its address for good.',
      label: 'Remove the connector',
      request: () => write('DELETE', CONNECTORS + path`/${name}`),
      isFresh: () => true,
    });
    return html`<span class="pages">
      <button type="button" class="small quiet" aria-label="Check ${name}" @click=${() => this.check(name)}>Check</button>
      ${buttonTo(`connectors/${name}`, kind === 'mcp' ? 'Tools' : 'Import', 'quiet')}
      ${actionDialog({ opens: 'Change', ...contentOf(connector) })} ${removal}</span>`;
  }

  /** @param {string} name */
  check(name) {
    return this.attempt(async () => {
      const { reachable, cause } = await call(write('POST', CONNECTORS + path`/${name}/check`));
      const why = html`does not work: <code>${cause}</code>. ${guide('connectors', 'What the causes mean')}`;
      await this.show(html`<p><strong>${name}</strong> ${reachable ? 'answers.' : why}</p>`);
    });
  }
}

/** How a connector authenticates. @param {Connector['auth']} auth @param {string | null} hint the end of its secret */
export const authOf = ({ type }, hint) =>
  html`${AUTHS[type] ?? type}${hint === null ? nothing : html` <small>its secret ends in ${hint}</small>`}`;

/** The form that makes a connector, or changes one: a value that never changes is no field of a change. @param {Connector} [known] @returns {import('../../forms/dialog.js').Content} */
function contentOf(known) {
  const changing = html`The next call of its operations follows what you save. Its name, its kind and its address are ${FIXED}.`;
  return {
    text: known
      ? changing
      : `Nobody sees its secret again, neither you nor an agent. What is ${FIXED} says so: no approved call goes elsewhere.`,
    label: 'Save the connector',
    fields: fieldsOf(known),
    request: ({ name = known?.name ?? '', ...values }) =>
      write('PUT', CONNECTORS + path`/${name}`, connectorOf(values, known)),
    isFresh: () => true,
    version: known?.updatedAt,
  };
}

/** @param {Connector} [known] @returns {import('../../forms/edits.js').Field[]} */
function fieldsOf(known) {
  const values = valuesOfConnector(known);
  const required = { isRequired: true };
  const isOf =
    (/** @type {string[]} */ ...types) =>
    (/** @type {import('../../forms/edits.js').Values} */ { type = values.type }) =>
      types.includes(type);
  const fixed = [
    field('name', `Name, ${FIXED}`, { hint: 'such as shop: a-z, 0-9 and _', longest: 30, ...required }),
    select('kind', `What it is, ${FIXED}`, Object.entries(KINDS)),
    field('baseUrl', `Address, ${FIXED}`, {
      hint: 'https, at a public address, without a query',
      ...required,
    }),
  ];
  const fields = [
    select('type', 'Each request has', Object.entries(AUTHS)),
    field('auth.name', 'Header', { ...required, isShown: isOf('header') }),
    field('auth.login', 'Login', { ...required, isShown: isOf('basic') }),
    field('auth.tokenUrl', 'Where its tokens come from', {
      ...required,
      isShown: isOf('client_credentials'),
    }),
    field('auth.clientId', 'Client id', { ...required, isShown: isOf('client_credentials') }),
    field('auth.scope', 'Scope', { isShown: isOf('client_credentials') }),
    field('secret', 'Secret', {
      kind: 'password',
      longest: 4096,
      hint: known ? 'Empty: the stored one stays, if nothing else of the sign-in changes.' : undefined,
      isRequired: known === undefined,
      isShown: ({ type = values.type }) => !WITHOUT_SECRET.includes(type),
    }),
    field('idempotencyHeader', 'Header in which it takes an idempotency key', {
      hint: 'such as Idempotency-Key: an API that honours it does a repeated write once',
    }),
    field('headers', 'Further headers, one a line', {
      kind: 'area',
      hint: 'such as X-Api-Version: 2026-01-01; at most 5, without secrets',
    }),
  ];
  return [
    ...(known ? [] : fixed),
    ...fields.map((each) => ({ ...each, value: values[each.name] ?? each.value })),
  ];
}
