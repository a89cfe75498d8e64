import { html, nothing } from 'lit';
import { elementWith } from '../elements/element.js';
import { problem } from '../elements/problem.js';
import { loading } from '../elements/view.js';
import { shown } from '../text/text.js';

/** @typedef {import('./edits.js').Choice} Choice */

/** The most choices that are shown at once; a search finds the others. */
const MOST_SHOWN = 50;

/** Boxes to tick, however many there are, and beside them the choice of all where the field has it. The form sends one hidden input for each choice. */
class ChoiceList extends elementWith(() => ({
  /** @type {import('./edits.js').Field} */
  field: { name: '', label: '' },
  /** Every choice, once fetched. @type {readonly Choice[] | undefined} */
  known: undefined,
  /** @type {ReadonlySet<string>} */
  chosen: new Set(),
  isAll: false,
  sought: '',
  /** @type {unknown} */
  failure: undefined,
})) {
  /** The choices that stand before the others: those chosen when the search began. @type {readonly string[]} */
  first = [];

  connectedCallback() {
    super.connectedCallback();
    const { value, all, choices = [] } = this.field;
    this.take(value ?? []);
    this.isAll = all !== undefined && (value ?? null) === null;
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

  /** Ticks these choices, and no others. @param {readonly string[]} values */
  take(values) {
    this.isAll = false;
    this.chosen = new Set(values);
    this.first = values;
  }

  render() {
    const { name, label, hint, all, presets = [] } = this.field;
    const either = (/** @type {boolean} */ isAll, /** @type {string} */ text) =>
      html`<label><input type="radio" name="${name}:all" value=${isAll ? 'all' : 'some'} .checked=${this.isAll === isAll}
        @change=${() => {
          this.isAll = isAll;
        }}> ${text}</label>`;
    const preset = (/** @type {readonly [string, readonly string[]]} */ [text, values]) =>
      html`<button type="button" class="small" @click=${() => this.take(values)}>${text}</button>`;
    return html`<fieldset>
      <legend>${label}</legend>
      ${hint === undefined ? nothing : html`<small>${hint}</small>`}
      ${all === undefined ? nothing : html`${either(true, all)}${either(false, 'Only these:')}`}
      ${presets.length === 0 ? nothing : html`<span class="pages">${presets.map(preset)}</span>`}
      ${this.isAll ? nothing : this.boxes()}
      ${[...this.chosen].map((value) => html`<input type="hidden" name=${name} value=${value}>`)}
    </fieldset>`;
  }

  boxes() {
    const { known, sought, first, chosen, field } = this;
    if (known === undefined) return this.failure ? problem(this.failure) : loading;
    const byValue = new Map(known.map((choice) => [choice[0], choice]));
    const isFound = (/** @type {Choice} */ choice) =>
      !first.includes(choice[0]) && choice.some((text) => text?.toLowerCase().includes(sought));
    const others = known.filter(isFound);
    // A choice that is no longer among those that can be made stays to be taken back.
    const shownFirst = first.map((value) => byValue.get(value) ?? /** @type {const} */ ([value, value]));
    const rows = [...shownFirst, ...others.slice(0, MOST_SHOWN)];
    const hidden = others.length - MOST_SHOWN;
    return html`${known.length > MOST_SHOWN ? this.search(known.length) : nothing}
      ${rows.length === 0 ? html`<p>There is nothing to choose from.</p>` : html`<div class="choices" role="group" tabindex="0" aria-label=${field.label}>${rows.map((row, index) => [row[3] && row[3] !== rows[index - 1]?.[3] ? html`<strong>${row[3]}</strong>` : nothing, this.box(row)])}</div>`}
      <small role="status">${chosen.size} chosen${hidden > 0 ? `, ${hidden} more are not shown: search for them` : nothing}</small>`;
  }

  /** @param {Choice} choice */
  box([value, text, detail]) {
    const choose = (/** @type {any} */ { target }) => {
      const others = [...this.chosen].filter((each) => each !== value);
      this.chosen = new Set(target.checked ? [...others, value] : others);
    };
    return html`<label><input type="checkbox" value=${value} .checked=${this.chosen.has(value)} @change=${choose}>
      ${shown(text)} ${detail ? html`<small>${shown(detail)}</small>` : nothing}</label>`;
  }

  /** @param {number} number */
  search(number) {
    const seek = (/** @type {any} */ event) => {
      event.stopPropagation();
      this.sought = event.target.value.toLowerCase();
      this.first = [...this.chosen];
    };
    const stay = (/** @type {KeyboardEvent} */ event) => event.key === 'Enter' && event.preventDefault();
    return html`<input type="search" placeholder="Search" aria-label="Search among ${number}: ${this.field.label}" @input=${seek} @keydown=${stay}>`;
  }
}
customElements.define('choice-list', ChoiceList);
