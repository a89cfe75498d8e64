export { nextCursor, positionIn } from './cursor.ts';
export { type Page, type PageLimits, readPage } from './page.ts';
