import { html } from 'lit';
import { execute, operation } from './api.js';
import { asCurl, Page } from './page.js';
import { tableOf } from './table.js';
import { shown } from './text.js';

/** How many files a page of a group has. */
const PAGE = 200;

/** The files that the Member sees, in both groups. */
class FilesPage extends Page {
  /** How many pages of each group are passed, by label. @type {Record<string, number>} */
  passed = {};

  /** @override */
  async load() {
    this.loaded = (await execute('knowledge.list_visible_files')).groups;
  }

  /** @override */
  content() {
    return html`${this.loaded.map((/** @type {any} */ group) => this.group(group))}
      ${asCurl(operation('knowledge.list_visible_files'))}`;
  }

  /** @param {{ label: string, files: { key: string, path: string }[] }} group */
  group({ label, files }) {
    const from = (this.passed[label] ?? 0) * PAGE;
    /** @param {string} name @param {number} step @param {boolean} isOn */
    const turn = (name, step, isOn) =>
      html`<button type="button" ?disabled=${!isOn} @click=${() => {
        this.passed[label] = (this.passed[label] ?? 0) + step;
        this.requestUpdate();
      }}>${name}</button>`;
    return html`<h2>${label}</h2>
      ${
        files.length === 0
          ? html`<p>There are none.</p>`
          : tableOf(
              `${label}, by path`,
              [
                ['Path', ({ path }) => shown(path)],
                ['Key', ({ key }) => key],
              ],
              files.slice(from, from + PAGE),
            )
      }
      ${files.length > PAGE ? html`<p class="pages">${turn('Previous page', -1, from > 0)} ${turn('Next page', 1, from + PAGE < files.length)} ${files.length} files</p>` : ''}`;
  }
}
customElements.define('files-page', FilesPage);
