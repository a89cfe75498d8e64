import { html, nothing } from 'lit';
import { call, get, write } from './api.js';
import { asCurl, freshSignIn, Page } from './page.js';
import { isFresh } from './sign-in.js';

/** @typedef {import('@action-platform/contracts').ApprovalRule} ApprovalRule */

const PATH = '/api/v1/approval-rules';

/** The rules of the Workspace, as a form for Owners. */
class ApprovalRules extends Page {
  /** @override */
  async load() {
    this.loaded = await call(get(PATH));
  }

  /** @override */
  content() {
    /** @type {{ revision: number, rules: ApprovalRule[], isSaved?: boolean }} */
    const { revision, rules, isSaved } = this.loaded;
    const show = (/** @type {ApprovalRule[]} */ changed) => {
      this.loaded = { revision, rules: changed };
    };
    const put = (/** @type {ApprovalRule[]} */ entered) => write('PUT', PATH, { revision, rules: entered });
    /** @param {SubmitEvent} event */
    const save = (event) => {
      event.preventDefault();
      this.attempt(async () => {
        this.loaded = { ...(await call(put(this.entered()))), isSaved: true };
      });
    };
    return html`<h2>Rules</h2>
      <p>A call that writes waits for an Owner when any of these rules matches it. Revision ${revision}.</p>
      ${freshSignIn()}
      <form @submit=${save} @change=${() => show(this.entered())}>
        ${rules.map((rule, index) => ruleFields(rule, index, () => show(this.entered().toSpliced(index, 1))))}
        <p><button type="button" @click=${() => show([...this.entered(), {}])}>Add a rule</button></p>
        <p><button ?disabled=${!isFresh()}>Save the rules</button> <span role="status">${isSaved ? 'Saved.' : nothing}</span></p>
        ${asCurl(put(rules))}
      </form>`;
  }

  /** The rules as they are entered. @returns {ApprovalRule[]} */
  entered() {
    return [...this.querySelectorAll('fieldset')].map((fields) => {
      /** @param {string} name */
      const field = (name) => /** @type {HTMLInputElement} */ (fields.querySelector(`[name=${name}]`));
      /** @param {string} name */
      const ids = (name) =>
        field(name)
          .value.split(/[\s,]+/)
          .filter((id) => id !== '');
      const [operations, grantIds] = [ids('operations'), ids('grants')];
      return {
        ...(operations.length > 0 && { operations }),
        callers: field('callers').checked ? 'grants' : 'everyone',
        ...(grantIds.length > 0 && { grantIds }),
        preventSelfApproval: field('other').checked,
      };
    });
  }
}
customElements.define('approval-rules', ApprovalRules);

/** @param {ApprovalRule} rule @param {number} index @param {() => void} remove */
function ruleFields({ operations = [], callers, grantIds = [], preventSelfApproval }, index, remove) {
  return html`<fieldset>
    <legend>Rule ${index + 1}</legend>
    <label>Operations that write, an id on each line; all of them when empty
      <textarea name="operations" spellcheck="false" .value=${operations.join('\n')}></textarea></label>
    <label><input name="callers" type="checkbox" .checked=${callers === 'grants'}> Only calls with a grant</label>
    <label>Only with these grants, an id on each line
      <textarea name="grants" spellcheck="false" .value=${grantIds.join('\n')}></textarea></label>
    <label><input name="other" type="checkbox" .checked=${preventSelfApproval ?? false}> Another Owner must approve</label>
    <button type="button" @click=${remove}>Remove rule ${index + 1}</button>
  </fieldset>`;
}
