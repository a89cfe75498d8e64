import { call, get } from './api.js';

/**
 * A listing of the platform.
 * @typedef {object} Source
 * @property {import('./api.js').Request} request without a cursor
 * @property {string} rows the field of the answer that has the rows
 * @property {(text: string) => any} [parse] reads the answer
 * @property {boolean} [isWhole] whether one answer has all rows: such a listing takes no cursor and no limit
 * @property {any[]} [all] the rows of an answer that is there
 */

/** The largest page of a listing of the platform. */
export const LARGEST = 200;

/** One page of a listing. Throws Refusal. @param {Source} source @param {string | undefined} cursor absent for the first page @returns {Promise<{ rows: any[], next: string | null }>} */
export async function pageOf(source, cursor) {
  const { request, rows, parse, isWhole, all } = source;
  if (isWhole || all) {
    const from = Number(cursor ?? 0);
    const every = await everyOf(source);
    const next = from + LARGEST < every.length ? String(from + LARGEST) : null;
    return { rows: every.slice(from, from + LARGEST), next };
  }
  const answer = await call(withFields(request, { cursor }), { ...(parse && { parse }) });
  const page = answer.result ?? answer;
  return { rows: page[rows], next: page.next_cursor ?? page.nextCursor ?? null };
}

/** The rows of a listing that one answer has. @param {Source} source @returns {Promise<any[]>} */
async function everyOf({ all, request, rows }) {
  if (all) return all;
  const answer = await call(request);
  return (answer.result ?? answer)[rows];
}

/** The pages of a listing up to its end, one after the other. Throws Refusal. @param {Source} source @returns {AsyncGenerator<any[]>} */
export async function* pagesOf(source) {
  const all = source.isWhole ? await everyOf(source) : source.all;
  const whole = { ...source, ...(all && { all }), request: withFields(source.request, { limit: LARGEST }) };
  for (let cursor; cursor !== null; ) {
    const page = await pageOf(whole, cursor);
    yield page.rows;
    cursor = page.next;
  }
}

/** All rows of a listing, however many pages it has. Throws Refusal. @param {Source} source */
async function allOf(source) {
  const all = [];
  for await (const rows of pagesOf(source)) all.push(...rows);
  return all;
}

/** The kinds of grants. */
export const GRANT_KINDS = ['routine', 'operation', 'agent'];

/** Every grant with a status, or of any, of each kind. Throws Refusal. @param {string} [status] @returns {Promise<import('@action-platform/contracts/resources').Grant[]>} */
export async function grantsWith(status) {
  const ofKind = (/** @type {string} */ kind) =>
    allOf({ request: get(`/api/v1/${kind}-grants`, { status }), rows: 'grants' });
  return (await Promise.all(GRANT_KINDS.map(ofKind))).flat();
}

/** A request with more fields, in its body or its query. @param {import('./api.js').Request} request @param {Record<string, any>} fields @returns {import('./api.js').Request} */
const withFields = (request, fields) =>
  request.method === 'GET'
    ? { ...request, query: { ...request.query, ...fields } }
    : { ...request, body: { .../** @type {object} */ (request.body), ...fields } };
