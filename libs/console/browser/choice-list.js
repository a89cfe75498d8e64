import { html, nothing } from 'lit';
import { LightElement, problem } from './page.js';
import { shown } from './text.js';

/** @typedef {import('./edits.js').Choice} Choice */

/** The most choices that are shown at once; a search finds the others. */
const MOST = 50;

/** Boxes to tick, however many there are, and beside them the choice of all where the field has it. The form sends one hidden input for each choice. */
class ChoiceList extends LightElement {
  static properties = {
    field: { attribute: false },
    known: { state: true },
    chosen: { state: true },
    isAll: { state: true },
    sought: { state: true },
    failure: { state: true },
  };

  constructor() {
    super();
    /** @type {import('./edits.js').Field} */
    this.field = { name: '', label: '' };
    /** Every choice, once fetched. @type {readonly Choice[] | undefined} */
    this.known = undefined;
    /** @type {ReadonlySet<string>} */
    this.chosen = new Set();
    /** The choices that stand before the others: those chosen when the search began. @type {readonly string[]} */
    this.first = [];
    this.isAll = false;
    this.sought = '';
    /** @type {unknown} */
    this.failure = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    const { value, all, choices = [] } = this.field;
    this.isAll = all !== undefined && (value ?? null) === null;
    this.chosen = new Set(value ?? []);
    this.first = [...this.chosen];
    if (typeof choices === 'function') this.fetch(choices);
    else this.known = choices;
  }

  /** @param {() => Promise<readonly Choice[]>} choices */
  async fetch(choices) {
    try {
      this.known = await choices();
    } catch (failure) {
      this.failure = failure;
    }
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    super.updated(changed);
    // The form reads the hidden inputs, which are there by now.
    if (changed.has('chosen') || changed.has('isAll'))
      this.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** @param {string} value @param {boolean} isChosen */
  choose(value, isChosen) {
    const chosen = new Set(this.chosen);
    if (isChosen) chosen.add(value);
    else chosen.delete(value);
    this.chosen = chosen;
  }

  /** Ticks these choices, and no others. @param {readonly string[]} values */
  take(values) {
    this.isAll = false;
    this.chosen = new Set(values);
    this.first = [...values];
  }

  /** @param {string} sought */
  seek(sought) {
    this.sought = sought.toLowerCase();
    this.first = [...this.chosen];
  }

  render() {
    const { name, label, hint, all, presets } = this.field;
    const either = (/** @type {boolean} */ isAll, /** @type {string} */ text) =>
      html`<label><input type="radio" name="${name}:all" value=${isAll ? 'all' : 'some'} .checked=${this.isAll === isAll}
        @change=${() => {
          this.isAll = isAll;
        }}> ${text}</label>`;
    return html`<fieldset>
      <legend>${label}</legend>
      ${hint === undefined ? nothing : html`<small>${hint}</small>`}
      ${all === undefined ? nothing : html`${either(true, all)}${either(false, 'Only these:')}`}
      ${(presets ?? []).length === 0 ? nothing : html`<span class="pages">${presets?.map(([text, values]) => html`<button type="button" class="small" @click=${() => this.take(values)}>${text}</button>`)}</span>`}
      ${this.isAll ? nothing : this.boxes()}
      ${[...this.chosen].map((value) => html`<input type="hidden" name=${name} value=${value}>`)}
    </fieldset>`;
  }

  boxes() {
    const { known, sought, first, chosen, field } = this;
    if (known === undefined) return this.failure ? problem(this.failure) : html`<p>Loading …</p>`;
    const byValue = new Map(known.map((choice) => [choice[0], choice]));
    const others = known.filter((choice) => !first.includes(choice[0]) && isFound(choice, sought));
    // A choice that is no longer among those that can be made stays to be taken back.
    const shownFirst = first.map((value) => byValue.get(value) ?? /** @type {const} */ ([value, value]));
    const rows = [...shownFirst, ...others.slice(0, MOST)];
    const box = (/** @type {Choice} */ [value, text, detail]) =>
      html`<label><input type="checkbox" value=${value} .checked=${chosen.has(value)}
        @change=${(/** @type {any} */ { target }) => this.choose(value, target.checked)}>
        ${shown(text)} ${detail === undefined ? nothing : html`<small>${shown(detail)}</small>`}</label>`;
    return html`${known.length > MOST ? this.search(known.length) : nothing}
      ${rows.length === 0 ? html`<p>There is none to choose.</p>` : html`<div class="choices" role="group" tabindex="0" aria-label=${field.label}>${rows.map(box)}</div>`}
      <small role="status">${chosen.size} chosen${others.length > MOST ? `, ${others.length - MOST} more are not shown: search for them` : nothing}</small>`;
  }

  /** @param {number} number */
  search(number) {
    return html`<input type="search" placeholder="Search" aria-label="Search among ${number}: ${this.field.label}"
      @input=${(/** @type {any} */ event) => {
        event.stopPropagation();
        this.seek(event.target.value);
      }}
      @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && event.preventDefault()}>`;
  }
}
customElements.define('choice-list', ChoiceList);

/** Whether the text of a choice, or its id, has what is sought. @param {Choice} choice @param {string} sought in lower case */
const isFound = (choice, sought) =>
  sought === '' || choice.some((text) => text?.toLowerCase().includes(sought));
