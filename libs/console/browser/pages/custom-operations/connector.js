import { html, nothing } from 'lit';
import { guide, link } from '../../elements/links.js';
import { Page } from '../../elements/page.js';
import { freshSignIn } from '../../elements/problem.js';
import { callout, card, emptyState, factList, stateBadge } from '../../elements/view.js';
import { APPROVAL_RULES, CUSTOM_OPERATIONS, call, get, path } from '../../platform/api.js';
import { isFresh } from '../../platform/sign-in.js';
import { shown } from '../../text/text.js';
import { authOf, CONNECTORS } from './connectors.js';
import { besideKnown } from './import-choice.js';
import { keptRows } from './import-rows.js';
import { definitionsOfTools } from './mcp-tools.js';
import { definitionsOf } from './openapi.js';

/** One connector, and the operations that can be made of what is behind it. */
export default class ConnectorPage extends Page {
  crumbs = () => [link('connectors', 'Connectors')];
  /** The rows to choose from, once there are any. @type {import('./import-choice.js').Row[] | undefined} */
  rows = undefined;
  /** What was chosen of them at first. @type {ReadonlyMap<string, import('./import-choice.js').Choice>} */
  choices = new Map();
  isReading = false;

  get address() {
    return CONNECTORS + path`/${this.names[0] ?? ''}`;
  }

  async load() {
    const [{ connector }, { operations }, { rules }] = await Promise.all(
      [this.address, CUSTOM_OPERATIONS, APPROVAL_RULES].map((address) => call(get(address))),
    );
    const isServer = connector.kind === 'mcp' && connector.status === 'active';
    const offered = isServer ? await call(get(`${this.address}/tools`)) : undefined;
    const kept = keptRows();
    this.choices = new Map(kept?.choices);
    this.rows = offered
      ? besideKnown(definitionsOfTools(offered.tools, connector.name), operations)
      : kept?.rows;
    this.loaded = { connector, operations, isHeld: rules.length > 0, isTruncated: offered?.truncated };
  }

  head() {
    return {
      title: this.names[0],
      about: 'Tick what people, grants and agents may call: each becomes a custom operation.',
    };
  }

  content() {
    const { connector, isHeld, isTruncated, operations } = this.loaded;
    const { baseUrl, auth, secretHint, status, kind, idempotencyHeader } = connector;
    const facts = factList([
      ['Address', shown(baseUrl)],
      ['Each request has', authOf(auth, secretHint)],
      ['Takes keys in', idempotencyHeader],
      ['State', stateBadge(status)],
    ]);
    const { rows } = this;
    const request = kind === 'mcp' ? get(`${this.address}/tools`) : get(CUSTOM_OPERATIONS);
    const changed = rows?.filter(({ isChanged }) => isChanged).length;
    return html`${card('Connector', facts)}
      ${status === 'removed' ? callout('It was removed', 'No operation of it can be called. Bring it back among the connectors.') : nothing}
      ${changed ? callout('The server has changed its tools', `A call of these fails until you take the change over: ${changed}. Compare shows what is different.`) : nothing}
      ${isTruncated ? callout('There are more', 'The server has more than 200 tools, and the others are not listed.') : nothing}
      ${kind === 'http' ? this.document() : nothing}
      ${rows && status === 'active' ? html`<import-rows .rows=${rows} .choices=${this.choices} .request=${request} .ids=${operations.length} .isHeld=${isHeld} .takesKey=${idempotencyHeader !== undefined}></import-rows>` : nothing}
      ${rows?.length === 0 ? emptyState('cable', 'There is nothing to import', 'The document has no operations, or the server no tools.') : nothing}`;
  }

  /** The form of an OpenAPI document. The browser reads the document, and sends it nowhere. */
  document() {
    // A sign-in reloads the page, so it comes before the document.
    if (this.loaded.isHeld && !isFresh()) return freshSignIn(() => undefined);
    const read = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
      this.attempt(() => this.read(/** @type {File} */ (data.get('file')), String(data.get('text'))));
    };
    return card(
      'Import an OpenAPI document',
      html`<form @submit=${read}>
        <label>A file, JSON or YAML <input type="file" name="file" accept=".json,.yaml,.yml"></label>
        <label>Or its text <textarea name="text" spellcheck="false"></textarea></label>
        <div class="pages"><button class=${this.rows ? '' : 'primary'} ?disabled=${this.isReading}>Read it</button>${this.isReading ? html`<small role="status">Reading …</small>` : nothing}</div>
      </form>`,
      { hint: html`Your browser reads it. ${guide('connectors#import', 'What a definition loses')}` },
    );
  }

  /** @param {File} file @param {string} entered */
  async read(file, entered) {
    this.isReading = true;
    this.requestUpdate();
    try {
      const text = file.size > 0 ? await file.text() : entered;
      const document = await parsed(text);
      const imported = definitionsOf(document, this.loaded.connector.name);
      const { operations } = await call(get(CUSTOM_OPERATIONS));
      this.loaded = { ...this.loaded, operations };
      this.choices = new Map();
      this.rows = besideKnown(imported, operations);
    } finally {
      this.isReading = false;
    }
  }
}

/** A document of JSON or YAML, whose parser is fetched then. @param {string} text */
async function parsed(text) {
  if (/^\s*[{[]/.test(text)) return JSON.parse(text);
  const { parse } = await import('yaml');
  return parse(text);
}
