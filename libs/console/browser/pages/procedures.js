import { html } from 'lit';
import { link } from '../elements/links.js';
import { Page } from '../elements/page.js';
import { pagedTable } from '../elements/table.js';
import { asCurl, card, emptyState, stateBadge } from '../elements/view.js';
import { execute, operation } from '../platform/api.js';
import { shown } from '../text/text.js';

/** The draft Procedures of the Workspace. */
export default class ProceduresPage extends Page {
  head() {
    return { about: 'Drafts that agents and people write: how something is done here.' };
  }

  content() {
    return pagedTable({
      caption: 'Draft Procedures, by slug',
      request: operation('procedures.list_drafts'),
      rows: 'procedures',
      words: ({ slug, title, description }) => [slug, title, description],
      columns: {
        Title: ({ slug, title }) => html`<strong>${link(`procedures/${slug}`, shown(title))}</strong>`,
        Slug: ({ slug }) => html`<code>${slug}</code>`,
        Description: ({ description }) => shown(description),
      },
      empty: emptyState(
        'file-text',
        'There is no draft yet.',
        'An agent writes one with procedures.create_draft, or you in the playground.',
        link('playground?operation=procedures.create_draft', 'Write one'),
      ),
    });
  }
}

/** One draft Procedure, as its Markdown text. */
export class ProcedurePage extends Page {
  crumbs = () => [link('procedures', 'Procedures')];

  async load() {
    this.loaded = (await execute('procedures.get_draft', { slug: this.names[0] })).procedure;
  }

  head() {
    if (this.loaded === undefined) return {};
    const { title, description, state } = this.loaded;
    return { title: html`${shown(title)} ${stateBadge(state)}`, about: shown(description) };
  }

  content() {
    const { slug, markdown } = this.loaded;
    const text = html`<pre tabindex="0">${lines(markdown)}</pre>`;
    const request = operation('procedures.get_draft', { slug });
    return card('Text', html`${text}${asCurl(request)}`, { hint: 'Markdown' });
  }
}

/** A text as its lines; a line with characters that are not seen in their place is a JSON string. @param {string} text */
const lines = (text) => text.split('\n').map((line) => html`${line === '' ? '' : shown(line)}\n`);
