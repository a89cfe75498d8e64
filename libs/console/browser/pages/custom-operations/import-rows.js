import { html, nothing } from 'lit';
import { comparison } from '../../elements/comparison.js';
import { elementWith } from '../../elements/element.js';
import { link } from '../../elements/links.js';
import { freshSignIn, problem } from '../../elements/problem.js';
import { pagedTable } from '../../elements/table.js';
import {
  asCurl,
  badge,
  card,
  countOf,
  emptyState,
  listOf,
  optionsView,
  segments,
} from '../../elements/view.js';
import { actionDialog } from '../../forms/dialog.js';
import { CUSTOM_OPERATIONS, call, get, path, Refusal, write } from '../../platform/api.js';
import { keep, take } from '../../platform/kept.js';
import { isFresh } from '../../platform/sign-in.js';
import { shown } from '../../text/text.js';
import { CALLERS, EFFECTS } from './custom.js';
import { chosenDefinition, firstChoice, ordered } from './import-choice.js';

/** @typedef {import('./import-choice.js').Row} Row */
/** @typedef {import('./import-choice.js').Choice} Choice */

/** The most ids of custom operations in a Workspace, removed ones too. */
const MOST_IDS = 300;
const REPEATS = {
  key: 'sent again, with its key',
  safe: 'sent again: does no more',
  never: 'not sent again',
};
const VIEWS = Object.entries({ all: 'All', ticked: 'Ticked' });
/** The name under which the tab keeps the ticked rows while the browser is at the issuer. */
const KEPT = 'console-import';

/** Rows that were ticked when somebody left this page for a fresh sign-in. @returns {{ rows: Row[], choices: [string, Choice][] } | undefined} */
export function keptRows() {
  const kept = take(KEPT);
  return kept?.path === location.pathname ? kept : undefined;
}

/** Operations to tick, each of which becomes an ordinary registration. */
class ImportRows extends elementWith(() => ({
  /** @type {readonly Row[]} */
  rows: [],
  /** The listing that the rows come from. @type {import('../../platform/api.js').Request} */
  request: get(CUSTOM_OPERATIONS),
  /** Whether the connector takes idempotency keys. */
  takesKey: false,
  /** Whether each registration takes a fresh sign-in. */
  isHeld: false,
  /** How many ids the Workspace has. */
  ids: 0,
  /** @type {ReadonlyMap<string, Choice>} */
  choices: new Map(),
  /** The failures of rows by their ids. @type {Map<string, unknown>} */
  refused: new Map(),
  /** @type {unknown} */
  failure: undefined,
  view: 'all',
  availability: 'workspace_member',
  /** How many were sent of how many, while and after they are. @type {{ done: number, all: number, hasEnded: boolean } | undefined} */
  run: undefined,
})) {
  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    if (changed.has('view') || changed.has('rows')) this.table?.load([undefined]);
  }

  get table() {
    return /** @type {any} */ (this.querySelector('paged-table'));
  }

  get ticked() {
    return this.rows.filter((row) => this.choices.get(row.id)?.isTicked);
  }

  /** @param {Row} row */
  choiceOf(row) {
    return this.choices.get(row.id) ?? firstChoice(row, this.takesKey);
  }

  /** @param {Row} row */
  body(row) {
    return chosenDefinition(row, this.choiceOf(row), this.availability);
  }

  /** @param {readonly Row[]} rows @param {Partial<Choice>} change */
  choose(rows, change) {
    const { choices } = this;
    const possible = rows.filter(({ definition }) => definition !== undefined);
    const changed = possible.map(
      (row) => /** @type {const} */ ([row.id, { ...this.choiceOf(row), ...change }]),
    );
    this.choices = new Map([...choices, ...changed]);
  }

  /** Registers the ticked rows, one after the other. A row that the platform refuses as it is stays; any other failure ends the run. */
  register = async () => {
    const { ticked } = this;
    this.failure = undefined;
    this.refused = new Map();
    this.run = { done: 0, all: ticked.length, hasEnded: false };
    for (const row of ticked) {
      if (!this.isConnected) return;
      try {
        this.keepKnown(row, await call(write('PUT', CUSTOM_OPERATIONS + path`/${row.id}`, this.body(row))));
        this.run = { ...this.run, done: this.run.done + 1 };
      } catch (failure) {
        if (!(failure instanceof Refusal) || failure.code !== 'invalid_request') {
          this.failure = failure;
          break;
        }
        this.refused.set(row.id, failure);
      }
    }
    this.run = { ...this.run, hasEnded: true };
  };

  /** @param {Row} row @param {{ operation: import('./import-choice.js').Known }} answer */
  keepKnown(row, { operation }) {
    if (row.former === undefined) this.ids++;
    Object.assign(row, { former: operation, isChanged: false });
    this.choose([row], { isTicked: false });
  }

  /** Keeps the ticked rows until the browser returns to this page. */
  keep() {
    keep(KEPT, { path: location.pathname, rows: this.ticked, choices: [...this.choices] });
  }

  render() {
    const { rows, ticked, ids } = this;
    const more = ticked.filter(({ former }) => former === undefined).length;
    const tick = (/** @type {boolean} */ isTicked) => () =>
      this.choose(this.table.page?.rows ?? [], { isTicked });
    const view = segments('Rows', VIEWS, this.view, (value) => {
      this.view = value;
    });
    const callers = (/** @type {any} */ { target }) => {
      this.availability = target.value;
    };
    return html`${pagedTable({
      caption: `${countOf(rows.length, 'operation')}. Once registered, the effect of each, whether it can be undone and for whom it is are fixed for good.`,
      request: this.request,
      rows: '',
      all: this.view === 'all' ? [...rows] : ticked,
      words: ({ id, source, definition }) => [id, source, definition?.title],
      columns: this.columns(),
      tools: html`${view} <button type="button" class="small" @click=${tick(true)}>Tick these</button> <button type="button" class="small" @click=${tick(false)}>Untick these</button>
        <label>For <select @change=${callers} aria-label="For whom, fixed for good">${optionsView(Object.entries(CALLERS), this.availability)}</select></label>`,
      empty: emptyState('', 'No operation is ticked.'),
    })}
    ${card('Register', this.registration(), { hint: `${ids + more} of the ${MOST_IDS} ids of a Workspace` })}`;
  }

  registration() {
    const { ticked, run, isHeld, ids } = this;
    const [first] = ticked;
    const mustSignIn = isHeld && !isFresh();
    const isBusy = run?.hasEnded === false;
    const isFull = ids + ticked.filter(({ former }) => former === undefined).length > MOST_IDS;
    const label = `Register ${countOf(ticked.length, 'operation')}`;
    return html`${mustSignIn ? freshSignIn(() => this.keep()) : nothing}
      ${problem(this.failure, [], this.register)}
      ${isFull ? html`<p class="field-problem">That is more than a Workspace has ids for.</p>` : nothing}
      <button type="button" class="primary" ?disabled=${isBusy || isFull || mustSignIn || !first} @click=${this.register}>${label}</button>
      ${run ? html`<progress aria-label="Registered" max=${run.all} value=${run.done}></progress>` : nothing}
      <p role="status">${run ? html`${run.done} of ${countOf(run.all, 'operation')} registered${this.refused.size > 0 ? html`, ${this.refused.size} refused: see their rows` : nothing}${run.hasEnded ? html`. ${link('grants', 'Make a grant of them')}, or ${link('custom-operations', 'try one')}` : ' …'}` : nothing}</p>
      ${first ? asCurl(write('PUT', CUSTOM_OPERATIONS + path`/${first.id}`, this.body(first))) : nothing}`;
  }

  /** @returns {import('../../elements/rows.js').Columns} */
  columns() {
    return {
      Operation: (row) => this.tick(row),
      Effect: (row) => row.definition && this.effect(row),
      'A repetition': (row) => row.definition && this.repeats(row),
      'Not taken over': ({ losses, problem: reason }) =>
        reason
          ? html`${badge('not possible', 'bad')}<small>${shown(reason)}</small>`
          : listOf(losses, shown, '–'),
      '': (row) => this.state(row),
    };
  }

  /** @param {Row} row */
  tick(row) {
    const { id, source, definition } = row;
    const name = html`<strong>${shown(definition?.title ?? source)}</strong>`;
    const about = html`<small><code>${id}</code> ${shown(source)}</small>`;
    if (definition === undefined) return html`${name}${about}`;
    const change = (/** @type {any} */ { target }) => this.choose([row], { isTicked: target.checked });
    return html`<label><input type="checkbox" .checked=${this.choiceOf(row).isTicked} @change=${change}> ${name}</label>${about}`;
  }

  /** @param {Row} row */
  effect(row) {
    const { effect, destructive } = this.choiceOf(row);
    const isFixed = row.former !== undefined;
    const choose = (/** @type {any} */ { target }) => this.choose([row], { effect: target.value });
    const grave = (/** @type {any} */ { target }) => this.choose([row], { destructive: target.checked });
    return html`<select aria-label="Effect of ${row.id}" ?disabled=${isFixed} @change=${choose}>${optionsView(Object.entries(EFFECTS), effect)}</select>
      ${effect === 'write' ? html`<label><input type="checkbox" .checked=${destructive} ?disabled=${isFixed} @change=${grave}> cannot be undone</label>` : nothing}`;
  }

  /** @param {Row} row */
  repeats(row) {
    const { effect, repeats } = this.choiceOf(row);
    if (effect === 'read') return '–';
    const { key, ...others } = REPEATS;
    const choose = (/** @type {any} */ { target }) => this.choose([row], { repeats: target.value });
    return html`<select aria-label="Repetition of ${row.id}" @change=${choose}>${optionsView(Object.entries(this.takesKey ? REPEATS : others), repeats)}</select>`;
  }

  /** @param {Row} row */
  state(row) {
    const refused = this.refused.get(row.id);
    if (refused)
      return html`<p class="field-problem" role="alert">${shown(/** @type {Error} */ (refused).message)}</p>`;
    if (row.former === undefined) return nothing;
    const { status } = row.former;
    const words = row.isChanged
      ? badge('changed', 'warn')
      : badge(status === 'active' ? 'registered' : 'removed', 'good');
    return html`<span class="pages">${words} ${actionDialog({ opens: 'Compare', fetch: () => this.compared(row) })}</span>`;
  }

  /** How a row differs from what the Workspace has, to be taken over. @param {Row} row @returns {Promise<import('../../forms/dialog.js').Content>} */
  async compared(row) {
    const request = write('PUT', CUSTOM_OPERATIONS + path`/${row.id}`, this.body(row));
    const { operation } = await call(get(CUSTOM_OPERATIONS + path`/${row.id}`));
    const { expectedRevision, ...body } = /** @type {any} */ (request.body);
    const former = Object.fromEntries(Object.keys(body).map((name) => [name, operation[name]]));
    const versionOf = (/** @type {number} */ version, /** @type {any} */ value) => ({
      version,
      payload: { text: JSON.stringify(ordered(value)) },
    });
    return {
      text: comparison(versionOf(operation.revision, former), versionOf(operation.revision + 1, body)),
      label: 'Take it over',
      request: () => request,
      isFresh: () => this.isHeld,
      done: (answer) => this.keepKnown(row, answer),
    };
  }
}
customElements.define('import-rows', ImportRows);
