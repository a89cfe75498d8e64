import { call } from './api.js';

/**
 * A listing of the platform.
 *
 * @typedef {object} Listed
 * @property {import('./api.js').Request} request without a cursor
 * @property {string} rows the field of the answer that has the rows
 * @property {(text: string) => any} [parse] reads the answer
 * @property {boolean} [isWhole] whether one answer has all rows: such a listing takes no cursor and no limit
 */

/** The largest page of a listing of the platform. */
const LARGEST = 200;

/** One page of a listing. Throws Refusal. @param {Listed} listed @param {string | undefined} cursor absent for the first page @returns {Promise<{ rows: any[], next: string | null }>} */
export async function pageOf({ request, rows, parse }, cursor) {
  const answer = await call(withFields(request, { cursor }), { ...(parse && { parse }) });
  const page = answer.result ?? answer;
  return { rows: page[rows], next: page.next_cursor ?? page.nextCursor ?? null };
}

/** The pages of a listing up to its end, one after the other. Throws Refusal. @param {Listed} listed @returns {AsyncGenerator<any[]>} */
export async function* pagesOf(listed) {
  if (listed.isWhole) return yield (await pageOf(listed, undefined)).rows;
  const whole = { ...listed, request: withFields(listed.request, { limit: LARGEST }) };
  for (let cursor; cursor !== null; ) {
    const page = await pageOf(whole, cursor);
    yield page.rows;
    cursor = page.next;
  }
}

/** All rows of a listing, however many pages it has. Throws Refusal. @param {Listed} listed */
export async function allOf(listed) {
  const all = [];
  for await (const rows of pagesOf(listed)) all.push(...rows);
  return all;
}

/** A request with more fields, in its body or its query. @param {import('./api.js').Request} request @param {Record<string, any>} fields @returns {import('./api.js').Request} */
const withFields = (request, fields) =>
  request.method === 'GET'
    ? { ...request, query: { ...request.query, ...fields } }
    : { ...request, body: { .../** @type {object} */ (request.body), ...fields } };
