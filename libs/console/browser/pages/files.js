import { html } from 'lit';
import { guide } from '../elements/links.js';
import { Page } from '../elements/page.js';
import { pagedTable } from '../elements/table.js';
import { emptyState, idOf } from '../elements/view.js';
import { execute, operation } from '../platform/api.js';
import { shown } from '../text/text.js';

/** The files that the Member sees, in both groups. */
export default class FilesPage extends Page {
  async load() {
    this.loaded = (await execute('knowledge.list_visible_files')).groups;
  }

  head() {
    return { about: 'The files that agents may list and read: those of the company, and your own.' };
  }

  content() {
    return html`${this.loaded.map((/** @type {{ label: string, files: object[] }} */ { label, files }) =>
      pagedTable({
        caption: `${label}, by path`,
        request: operation('knowledge.list_visible_files'),
        rows: 'files',
        all: files,
        words: ({ path, key }) => [path, key],
        columns: { Path: ({ path }) => shown(path), Key: ({ key }) => idOf(key) },
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
