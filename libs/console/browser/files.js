import { html } from 'lit';
import { execute, operation } from './api.js';
import { Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';
import { emptyState, guide, idOf } from './view.js';

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

  head() {
    return {
      title: this.entry,
      about: 'The files that agents may list: those of the company, and your own.',
    };
  }

  content() {
    const request = operation('knowledge.list_visible_files');
    return html`${this.loaded.map((/** @type {{ label: string, files: object[] }} */ { label, files }) =>
      pagedTable({
        caption: `${label}, by path`,
        request,
        rows: 'files',
        all: files,
        words: ({ path, key }) => `${path} ${key}`,
        columns,
        empty: emptyState(
          'folder',
          `There are no ${label}`,
          'Files come from a folder or a bucket that your operator connects.',
          guide('files', 'How files get here'),
        ),
      }),
    )}`;
  }
}
customElements.define('files-page', FilesPage);
