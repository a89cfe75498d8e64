import { LitElement } from 'lit';

/**
 * A class of elements with these properties, in the light DOM, for the one style sheet. An element renders again when a property changes.
 * @template {object} Properties
 * @param {() => Properties} initial returns the first values
 */
export function elementWith(initial) {
  class WithProperties extends LitElement {
    static properties = Object.fromEntries(
      Object.keys(initial()).map((name) => [name, { attribute: false }]),
    );

    constructor() {
      super();
      Object.assign(this, initial());
    }

    createRenderRoot() {
      return this;
    }

    /** When the control that had the focus is no longer there, a reader by keyboard goes on at the heading. @param {Map<string, unknown>} _changed */
    updated(_changed) {
      if (document.activeElement === document.body)
        document.querySelector('h1')?.focus({ preventScroll: true });
    }
  }
  return /** @type {new () => LitElement & Properties} */ (/** @type {unknown} */ (WithProperties));
}
