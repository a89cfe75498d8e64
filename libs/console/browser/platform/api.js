import { toJson } from '../text/text.js';
import { currentToken, notFresh } from './sign-in.js';

/** A call of the platform, before it is sent. @typedef {{ method: string, path: string, query?: Record<string, string | undefined>, body?: unknown, headers?: Record<string, string> }} Request */

/** The statuses after which a call is repeated: without an answer, its outcome is unknown, and nothing was done. */
const UNCLEAR = [0, 502, 503];
/** The longest wait before a repetition, in seconds. */
const LONGEST_WAIT = 10;

/** A refusal of the platform: its `message` says what happened, and `next` what to do. */
export class Refusal extends Error {
  /** @param {{ code: string, message: string, next: string, requestId?: string }} error @param {boolean} isAnswer */
  constructor({ code, message, next, requestId }, isAnswer) {
    super(message);
    this.code = code;
    this.next = next;
    this.requestId = requestId;
    /** Whether the refusal is the answer to the call, so that a repetition is another call. */
    this.isAnswer = isAnswer;
  }
}

/** The failure of a call without an answer that the platform does once, however often the call is repeated. */
const NO_ANSWER = { code: 'no_answer', message: 'No answer came. Perhaps it was done.', next: 'Try again.' };
/** The failure of a call without an answer that the platform may do a second time. */
const UNKNOWN = { ...NO_ANSWER, code: 'unknown_outcome', next: 'Look first whether it was done.' };

export const APPROVAL_RULES = '/api/v1/approval-rules';
export const CUSTOM_OPERATIONS = '/api/v1/custom-operations';

/** A call of an operation. @param {string} id @param {unknown} input @returns {Request} */
export const operation = (id, input = {}) => ({
  method: 'POST',
  path: `/api/v1/operations/${id}`,
  body: input,
});

/** An input that an operation's descriptor has as its example. @param {any} inputSchema @returns {Record<string, unknown>} */
export const exampleOf = ({ properties = {}, required = [] }) =>
  Object.fromEntries(required.map((/** @type {string} */ name) => [name, properties[name]?.examples?.[0]]));

/** A call of a route that reads. @param {string} path @param {Record<string, string | undefined>} [query] @returns {Request} */
export const get = (path, query = {}) => ({ method: 'GET', path, query });

/** A call of a route that writes. @param {string} method @param {string} path @param {unknown} [body] @returns {Request} */
export const write = (method, path, body) => ({ method, path, body });

/** The path for these names. @param {TemplateStringsArray} strings @param {string[]} names */
export const path = (strings, ...names) => String.raw({ raw: strings }, ...names.map(encodeURIComponent));

/** A query without what is empty. @param {Record<string, unknown>} query */
export function queryOf(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(/** @type {[string, string][]} */ (given)).toString();
}

/** The address of a call, which a shell takes in quotes. @param {Request} request */
function addressOf({ path, query = {} }) {
  const search = queryOf(query);
  const address = search === '' ? path : `${path}?${search}`;
  return address.replaceAll("'", '%27').replaceAll('!', '%21');
}

/** A call as a command, which reads address and token from the environment. @param {Request} request */
export function curlOf(request) {
  const { method, body, headers = {} } = request;
  const given = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  return [
    `curl "$BASE_URL${addressOf(request)}"`,
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $TOKEN"',
    ...Object.entries(given).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(toJson(body))}`]),
  ].join(' \\\n  ');
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Calls the platform, by default as the signed-in Member. A call without an answer, or with 502 or 503, is repeated once with the same body and key. Throws Refusal. @param {Request} request @param {{ parse?: (text: string) => any, isRepeatable?: boolean, token?: string | undefined }} [options] `parse` reads the answer */
export async function call(request, { parse = JSON.parse, isRepeatable = true, token } = {}) {
  let answer = await exchange(request, token);
  if (isRepeatable && UNCLEAR.includes(answer.status)) {
    await new Promise((resolve) => setTimeout(resolve, answer.waitSeconds * 1000));
    answer = await exchange(request, token);
  }
  if (answer.status >= 200 && answer.status < 300) return parse(answer.text);
  const error = errorOf(answer);
  if (error.code === 'fresh_sign_in_required') notFresh();
  // A held call meets its approval again with the same key.
  const isAnswer = !UNCLEAR.includes(answer.status) && error.code !== 'operation_approval_required';
  throw new Refusal(error === NO_ANSWER && !isRepeatable ? UNKNOWN : error, isAnswer);
}

/** The error of an answer: NO_ANSWER for an answer of others, such as the page of a proxy. @param {{ status: number, text: string }} answer */
function errorOf({ status, text }) {
  try {
    const { error } = status === 0 ? { error: NO_ANSWER } : JSON.parse(text);
    return typeof error.code === 'string' ? error : NO_ANSWER;
  } catch {
    return NO_ANSWER;
  }
}

/** @typedef {{ workspaceId: string, userId: string, role: 'owner' | 'member', displayName: string | null, apps: string[] }} Me */

/** The signed-in Member, once `loadMe` has resolved. @type {Me} */
export let me;

/** Finds out who signed in. Throws Refusal for a user who is no Member. */
export async function loadMe() {
  me = await call(get('/api/v1/me'));
}

/** Whether the signed-in Member is an Owner. */
export const isOwner = () => me.role === 'owner';

/** Whether the operations on e-mail are available. */
export const hasMail = () => me.apps.includes('mail_suite');

/** The header in which a call with a routine grant names its run. */
export const RUN_HEADER = 'x-routine-invocation-id';

/** Calls an operation, and returns its result. @param {string} id @param {unknown} [input] */
export const execute = async (id, input) => (await call(operation(id, input))).result;

/** Makes a call once, and returns its answer, also a refusal, with its time. Throws Refusal without an answer, and when the session of the Member has ended. @param {Request} request @param {string | undefined} token */
export async function timed(request, token) {
  const begun = performance.now();
  const { status, text, isReplayed } = await exchange(request, token);
  if (status === 0 || (status >= 300 && errorOf({ status, text }) === NO_ANSWER))
    throw new Refusal(UNKNOWN, false);
  if (status === 401 && token === undefined) throw new Refusal(errorOf({ status, text }), true);
  return { status, text, isReplayed, ms: Math.round(performance.now() - begun) };
}

/** The answer as a stream, for what may be larger than memory. Throws Refusal. @param {Request} request @param {AbortSignal} [signal] ends it */
export async function stream(request, signal) {
  const response = await send(request, undefined, signal);
  const { ok, status } = response;
  if (!ok) throw new Refusal(errorOf({ status, text: await response.text() }), true);
  return /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body);
}

/** @param {Request} request @param {string | undefined} token @param {AbortSignal} [signal] */
async function send(request, token, signal) {
  const { method, body, headers } = request;
  return await fetch(addressOf(request), {
    method,
    headers: {
      Authorization: `Bearer ${token ?? (await currentToken())}`,
      ...headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    credentials: 'omit',
    cache: 'no-store',
    ...(body !== undefined && { body: toJson(body) }),
    ...(signal && { signal }),
  });
}

/** The answer to a request; status 0 when none came. @param {Request} request @param {string | undefined} token */
async function exchange(request, token) {
  try {
    const response = await send(request, token);
    const waitSeconds = Math.min(Number(response.headers.get('Retry-After') ?? 1), LONGEST_WAIT);
    const isReplayed = response.headers.get('Idempotent-Replayed') === 'true';
    return { status: response.status, text: await response.text(), waitSeconds, isReplayed };
  } catch (failure) {
    // fetch fails with a TypeError alone when no answer came.
    if (failure instanceof TypeError) return { status: 0, text: '', waitSeconds: 1, isReplayed: false };
    throw failure;
  }
}

/** Whether a call waits for a decision of the signed-in Member. Only approvers see calls of others. @param {import('@action-platform/contracts/resources').ListedApproval} approval */
export const canDecide = ({ status, userId, preventSelfApproval }) =>
  status === 'pending' && (userId !== me.userId || (isOwner() && !preventSelfApproval));
