import { html } from 'lit';
import { call, get, write } from './api.js';
import { actionDialog } from './dialog.js';
import { withoutNull } from './edits.js';
import { check, choices, field, select } from './fields.js';
import { actionForm } from './form.js';
import { nameOf } from './names.js';
import { Page } from './page.js';
import { tableOf } from './rows.js';
import { operationChoices } from './rules.js';
import { shown } from './text.js';
import { asCurl, card, emptyState, link, listOf, titled } from './view.js';

/** A program with its limits. @typedef {{ clientId: string, operations?: string[], maxDays?: number }} Listed */

const PATH = '/api/v1/agent-policy';
const CLIENTS = { any: 'any program', listed: 'the listed programs alone' };
/** The longest client_id: a registration has the addresses of its program in it. */
const LONGEST_ID = 10_000;
/** The most characters of a client_id that are shown. */
const SHOWN = 80;

/** Which programs Members may connect, for Owners. */
export class AgentPolicyPage extends Page {
  crumbs = () => [link('grants?kind=agent', 'Agents')];

  async load() {
    const [policy, { operations }, { grants }] = await Promise.all(
      [PATH, '/api/v1/operations', '/api/v1/agent-grants'].map((address) => call(get(address))),
    );
    /** @type {Map<string, string>} */
    const names = new Map(grants.map((/** @type {any} */ { client }) => [client.id, client.name]));
    this.loaded = { policy, operations, names };
  }

  head() {
    return {
      about:
        'The programs that Members may connect. A change reaches those that are connected already within ten minutes.',
      actions: this.changing(
        'Add a program',
        'Add the program',
        (values) => [...this.listed, withoutNull(values)],
        {
          tone: 'primary',
          text: 'Its limits hold, whether other programs may connect or not.',
          fields: this.loaded ? this.fields() : [],
        },
      ),
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

  /** @returns {import('./rows.js').Columns} */
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
    const change = this.changing(
      'Change',
      'Save the program',
      (values) => this.listed.with(index, withoutNull(values)),
      {
        text: 'It reaches the program within ten minutes.',
        fields: this.fields(row),
      },
    );
    const removal = this.changing('Remove', 'Remove the program', () => this.listed.toSpliced(index, 1), {
      tone: 'danger',
      text: 'It has no limits of its own any more, and may not connect where only listed programs may.',
    });
    return html`<span class="pages">${change} ${removal}</span>`;
  }

  /** A dialog after which other programs are listed. @param {string} opens @param {string} label @param {(values: any) => Listed[]} changed @param {Omit<import('./dialog.js').Opener & import('./dialog.js').Content, 'opens' | 'label' | 'request'>} more */
  changing(opens, label, changed, more) {
    return actionDialog({ ...more, opens, label, ...this.saving((values) => ({ listed: changed(values) })) });
  }

  /** How a form or dialog saves the policy. @param {(values: any) => object} changed @returns {Pick<import('./form.js').FormOptions, 'request' | 'isFresh' | 'refused' | 'done'>} */
  saving = (changed) => ({
    request: (values) => write('PUT', PATH, { ...this.loaded?.policy, ...changed(values) }),
    isFresh: () => true,
    refused: () => this.load().catch(() => undefined),
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
      choices('operations', 'Operations that it may get', operationChoices(this.loaded.operations), {
        all: 'All that the Member may call',
        value: operations,
      }),
      field('maxDays', 'Most days', { kind: 'number', value: maxDays }),
    ];
  }
}

/** @param {string} id */
const shortened = (id) => (id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id);
