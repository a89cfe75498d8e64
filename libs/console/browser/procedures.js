import { html } from 'lit';
import { execute, operation } from './api.js';
import { asCurl, factList, link, Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';

/** The draft Procedures of the Workspace. */
class ProceduresPage extends Page {
  content() {
    return pagedTable({
      caption: 'Draft Procedures, by slug',
      request: operation('procedures.list_drafts'),
      rows: 'procedures',
      columns: [
        ['Title', ({ slug, title }) => link(`procedures/${slug}`, shown(title))],
        ['Slug', ({ slug }) => slug],
        ['Description', ({ description }) => shown(description)],
      ],
      empty: 'There is no draft yet.',
    });
  }
}
customElements.define('procedures-page', ProceduresPage);

/** One draft Procedure, as its Markdown text. */
class ProcedurePage extends Page {
  async load() {
    this.loaded = (await execute('procedures.get_draft', { slug: this.names[0] })).procedure;
  }

  content() {
    const { slug, title, description, state, markdown } = this.loaded;
    return html`${factList([
      ['Title', shown(title)],
      ['Description', shown(description)],
      ['State', state],
    ])}
      <h2>Text</h2>
      <pre tabindex="0">${lines(markdown)}</pre>
      ${asCurl(operation('procedures.get_draft', { slug }))}`;
  }
}
customElements.define('procedure-page', ProcedurePage);

/** A text as its lines; one that has characters which are not seen in their place is a JSON string. @param {string} text */
const lines = (text) => text.split('\n').map((line) => html`${line === '' ? '' : shown(line)}\n`);
