import { html } from 'lit';
import { link } from '../../elements/links.js';
import { nameOf } from '../../elements/names.js';
import { Page } from '../../elements/page.js';
import { tableOf } from '../../elements/rows.js';
import { asCurl, card, emptyState, listOf, titled } from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { isSaved, withoutNull } from '../../forms/edits.js';
import { check, field, select } from '../../forms/fields.js';
import { actionForm, dropOvertaken } from '../../forms/form.js';
import { call, get, write } from '../../platform/api.js';
import { shown } from '../../text/text.js';
import { operationsField } from '../approvals/rules.js';

/** A program with its limits. @typedef {{ clientId: string, operations?: string[], maxDays?: number }} Listed */

const PATH = '/api/v1/agent-policy';
const CLIENTS = { any: 'any program', listed: 'the listed programs alone' };
/** The longest client_id: a registration has the addresses of its program in it. */
const LONGEST_ID = 10_000;
/** The most characters of a client_id that are shown. */
const LONGEST_SHOWN = 80;

/** Which programs Members may connect, for Owners. */
export default class AgentPolicyPage extends Page {
  crumbs = () => [link('grants?kind=agent', 'Agents')];

  async load() {
    const [policy, { operations }, { grants }] = await Promise.all(
      [PATH, '/api/v1/operations', '/api/v1/agent-grants'].map((address) => call(get(address))),
    );
    /** @type {Map<string, string>} */
    const names = new Map(grants.map((/** @type {any} */ { client }) => [client.id, client.name]));
    this.loaded = { policy, operations, names };
    dropOvertaken(this, policy.revision);
  }

  head() {
    const added = (/** @type {any} */ values) => [...this.listed, withoutNull(values)];
    return {
      about:
        'The programs that Members may connect. A change reaches those that are connected already within ten minutes.',
      actions: this.changing('Add a program', 'Add the program', added, {
        tone: 'primary',
        text: 'Its limits hold, whether other programs may connect or not.',
        fields: this.loaded ? this.fields() : [],
      }),
    };
  }

  /** @returns {Listed[]} */
  get listed() {
    return this.loaded?.policy.listed ?? [];
  }

  content() {
    const { clients, ownersMayConnect } = this.loaded.policy;
    const form = actionForm({
      label: 'Save the policy',
      fields: [
        select('clients', 'Members may connect', Object.entries(CLIENTS), clients),
        check('ownersMayConnect', 'Owners may connect programs, which then act as Owners', ownersMayConnect),
      ],
      isEdit: true,
      ...this.saving((changes) => changes),
    });
    const none = emptyState(
      'key-round',
      'No program is listed',
      'List a program to allow it fewer operations, or fewer days.',
    );
    return html`${card('Who may connect what', form)}
      ${card('Listed programs', html`${this.listed.length === 0 ? none : tableOf('Programs, with their limits', this.columns(), this.listed)}<div class="foot">${asCurl(get(PATH))}</div>`, { flush: true })}`;
  }

  /** @returns {import('../../elements/rows.js').Columns} */
  columns() {
    return {
      Program: ({ clientId }) =>
        titled(shown(this.loaded.names.get(clientId) ?? 'Not connected yet'), shown(shortened(clientId))),
      Operations: ({ operations }) =>
        operations ? listOf(operations, (id) => nameOf('operation', id)) : 'all of the Member',
      'At most': ({ maxDays }) => (maxDays ? `${maxDays} days` : 'a year'),
      '': (row) => this.changes(row),
    };
  }

  /** @param {Listed} row */
  changes(row) {
    const index = this.listed.indexOf(row);
    const changed = (/** @type {any} */ values) => this.listed.with(index, withoutNull(values));
    const change = this.changing('Change', 'Save the program', changed, {
      isOfRow: true,
      text: 'It reaches the program within ten minutes.',
      fields: this.fields(row),
    });
    const removal = this.changing('Remove', 'Remove the program', () => this.listed.toSpliced(index, 1), {
      isOfRow: true,
      tone: 'danger',
      text: 'It has no limits of its own any more, and may not connect where only listed programs may.',
    });
    return html`<span class="pages">${change} ${removal}</span>`;
  }

  /** A dialog after which other programs are listed. @param {string} opens @param {string} label @param {(values: any) => Listed[]} changed @param {Omit<import('../../forms/dialog.js').Opener & import('../../forms/dialog.js').Content, 'opens' | 'label' | 'request'> & { isOfRow?: boolean }} more */
  changing(opens, label, changed, { isOfRow, ...more }) {
    const saving = this.saving((values) => ({ listed: changed(values) }), isOfRow);
    return actionDialog({ ...more, ...saving, opens, label });
  }

  /** How a form or dialog saves the policy. @param {(values: any) => object} changed @param {boolean} [isOfRow] whether the dialog is about a program of the list @returns {Pick<import('../../forms/form.js').FormOptions, 'request' | 'isFresh' | 'version' | 'refused' | 'done'>} */
  saving = (changed, isOfRow = false) => ({
    request: (values) => write('PUT', PATH, { ...this.loaded?.policy, ...changed(values) }),
    isFresh: () => true,
    version: isOfRow ? this.loaded.policy.revision : undefined,
    refused: (failure, { body }) =>
      this.overtaken(failure, {
        versionOf: () => isOfRow && this.loaded.policy.revision,
        isSaved: () => isSaved(body, this.loaded.policy),
      }),
    done: (policy) => {
      this.loaded = { ...this.loaded, policy };
    },
  });

  /** @param {Partial<Listed>} [row] */
  fields({ clientId, operations, maxDays } = {}) {
    const known = [...this.loaded.names].map(([id, name]) => /** @type {const} */ ([id, name]));
    return [
      field('clientId', 'Its client_id', {
        ...{ isRequired: true, longest: LONGEST_ID, value: clientId, suggestions: known },
        hint: 'the address of its own document, or its registration',
      }),
      operationsField(this.loaded.operations, {
        label: 'Operations that it may get',
        all: 'All that the Member may call',
        value: operations,
      }),
      field('maxDays', 'Most days', { kind: 'number', value: maxDays }),
    ];
  }
}

/** @param {string} id */
const shortened = (id) => (id.length > LONGEST_SHOWN ? `${id.slice(0, LONGEST_SHOWN)}…` : id);
