import { html, nothing } from 'lit';

/** The columns of a table by their titles: each function returns the cell of a row. The column '' has the actions. @typedef {Record<string, (row: any) => unknown>} Columns */

/** The id of a row, or its name, if it has any. @param {any} row @returns {string | undefined} */
export const idOfRow = (row) => row.id ?? row.userId ?? row.senderId ?? row.clientId ?? row.name;

/** Rows as a table; on a phone each row is a card. @param {string} caption @param {Columns} columns @param {any[]} rows @param {readonly string[]} [numbers] the titles of columns that end at the right */
export function tableOf(caption, columns, rows, numbers = []) {
  const lookOf = (/** @type {string} */ title) => (title === '' || numbers.includes(title) ? 'end-cell' : '');
  return html`<table role="table">
    <caption>${caption}</caption>
    <thead role="rowgroup"><tr role="row">${Object.keys(columns).map((title) => html`<th role="columnheader" scope="col" class=${lookOf(title)}>${title || html`<span class="unseen">Actions</span>`}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map(
      (row) =>
        html`<tr role="row" data-id=${idOfRow(row) ?? nothing}>${Object.entries(columns).map(
          ([title, cell]) =>
            html`<td role="cell" class=${lookOf(title)} data-title=${title}>${cell(row)}</td>`,
        )}</tr>`,
    )}</tbody>
  </table>`;
}
