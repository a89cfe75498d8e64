export { Cursors } from './cursors.ts';
export { type Page, readPage } from './page.ts';
