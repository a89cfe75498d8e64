import { html } from 'lit';
import { execute, operation } from './api.js';
import { Page } from './page.js';
import { pagedTable } from './table.js';
import { shown } from './text.js';
import { asCurl, card, emptyState, link, stateBadge } from './view.js';

/** The draft Procedures of the Workspace. */
class ProceduresPage extends Page {
  head() {
    return { title: this.entry, about: 'Drafts that agents and people write: how something is done here.' };
  }

  content() {
    return pagedTable({
      caption: 'Draft Procedures, by slug',
      request: operation('procedures.list_drafts'),
      rows: 'procedures',
      words: ({ slug, title, description }) => `${slug} ${title} ${description}`,
      columns: [
        ['Title', ({ slug, title }) => html`<strong>${link(`procedures/${slug}`, shown(title))}</strong>`],
        ['Slug', ({ slug }) => html`<code>${slug}</code>`],
        ['Description', ({ description }) => shown(description)],
      ],
      empty: emptyState(
        'file-text',
        'There is no draft yet.',
        'An agent writes one with procedures.create_draft, or you in the playground.',
        link('playground?operation=procedures.create_draft', 'Write one'),
      ),
    });
  }
}
customElements.define('procedures-page', ProceduresPage);

/** One draft Procedure, as its Markdown text. */
class ProcedurePage extends Page {
  async load() {
    this.loaded = (await execute('procedures.get_draft', { slug: this.names[0] })).procedure;
  }

  head() {
    const crumbs = /** @type {const} */ ([['procedures', 'Procedures']]);
    if (this.loaded === undefined) return { title: this.entry, crumbs };
    const { title, description, state } = this.loaded;
    return { title: html`${shown(title)} ${stateBadge(state)}`, crumbs, about: shown(description) };
  }

  content() {
    const { slug, markdown } = this.loaded;
    return card(
      'Text',
      html`<pre tabindex="0">${lines(markdown)}</pre>${asCurl(operation('procedures.get_draft', { slug }))}`,
      { hint: 'Markdown' },
    );
  }
}
customElements.define('procedure-page', ProcedurePage);

/** A text as its lines; one that has characters which are not seen in their place is a JSON string. @param {string} text */
const lines = (text) => text.split('\n').map((line) => html`${line === '' ? '' : shown(line)}\n`);
