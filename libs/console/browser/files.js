import { html } from 'lit';
import { execute, operation } from './api.js';
import { idOf, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';

/** @type {import('./table.js').Column[]} */
const columns = [
  ['Path', ({ path }) => shown(path)],
  ['Key', ({ key }) => idOf(key)],
];

/** The files that the Member sees, in both groups. */
class FilesPage extends Page {
  async load() {
    this.loaded = (await execute('knowledge.list_visible_files')).groups;
  }

  content() {
    const request = operation('knowledge.list_visible_files');
    return html`${this.loaded.map(
      (/** @type {{ label: string, files: object[] }} */ { label, files }) =>
        html`<h2>${label}</h2>
          ${pagedTable({ caption: `${label}, by path`, request, rows: 'files', all: files, columns, empty: 'There are none.' })}`,
    )}`;
  }
}
customElements.define('files-page', FilesPage);
