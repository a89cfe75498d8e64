export { cursorAt, nextCursor, positionIn } from './cursor.ts';
export { type Page, readPage } from './page.ts';
