import type { Message } from '@microsoft/microsoft-graph-types';
import { pages } from './pages.ts';
import { type Answer, graphError } from './stand-in-answer.ts';
import type { FaultyCall } from './stand-in-faults.ts';
import type { StandInMailbox, StoredMessage } from './stand-in-mailbox.ts';

/** A request for a mailbox. */
export interface MailboxRequest {
  readonly origin: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A mailbox and what the application may do there. */
export interface OpenMailbox {
  readonly mailbox: StandInMailbox;
  readonly canWrite: boolean;
  /** How long the filter does not find a new message, in milliseconds. */
  readonly lagMs: number;
  /** Whether the cloud has "message: permanentDelete". */
  readonly isGlobalCloud: boolean;
  /** How many results a page has at most. */
  readonly pageSize: number;
}

/** A documented call: the faults of its kind, and its answer. */
export interface Route {
  readonly call: FaultyCall;
  answer(): Answer;
}

const FOLDER = /^\/mailFolders\/drafts$/;
const MESSAGES = /^\/messages$/;
const MESSAGE = /^\/messages\/([^/]+)(\/permanentDelete)?$/;
/** The documented filter of a single-value extended property. */
const FILTER =
  /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '((?:String) \{[0-9a-fA-F-]{36}\} Name \w+)' and ep\/value eq '([^']*)'\)$/;
/** The most bytes of a request. */
const REQUEST_BYTES_MAX = 4 * 1024 * 1024;

/** The documented call of a request in a mailbox; undefined when the stand-in has none. */
export function routeOf(path: string, request: MailboxRequest, open: OpenMailbox): Route | undefined {
  const { method } = request;
  if (method === 'GET' && FOLDER.test(path)) {
    const body = { id: 'AQMkADdrafts', displayName: 'Drafts' };
    return { call: 'folder', answer: () => ({ status: 200, body, follows: pages.getFolder }) };
  }
  if (method === 'GET' && MESSAGES.test(path)) return { call: 'search', answer: () => list(request, open) };
  if (method === 'POST' && MESSAGES.test(path))
    return { call: 'create', answer: () => create(request, open) };
  const [, encodedId = '', action = ''] = MESSAGE.exec(path) ?? [];
  const id = decodeURIComponent(encodedId);
  const asked = encodedId === '' ? '' : method + action;
  if (asked === 'DELETE') return { call: 'remove', answer: () => remove(id, false, open) };
  if (asked === 'POST/permanentDelete') return { call: 'remove', answer: () => remove(id, true, open) };
  return undefined;
}

function create({ headers, body }: MailboxRequest, { mailbox, canWrite, lagMs }: OpenMailbox): Answer {
  if (!canWrite) return accessDenied();
  if (body.length > REQUEST_BYTES_MAX) return graphError(413, 'RequestEntityTooLarge', pages.createMessage);
  if (headers['content-type'] === 'text/plain') {
    return graphError(400, 'ErrorMimeContentInvalidBase64String', pages.createMessage);
  }
  if (headers['content-type'] !== 'application/json')
    return graphError(415, 'UnsupportedMediaType', pages.errors);
  const stored = mailbox.add(JSON.parse(body) as Message, lagMs);
  return { status: 201, body: shown(stored, headers), follows: pages.createMessage };
}

function list({ origin, url, headers }: MailboxRequest, { mailbox, pageSize }: OpenMailbox): Answer {
  const [, property, value] = FILTER.exec(url.searchParams.get('$filter') ?? '') ?? [];
  if (property === undefined || value === undefined)
    return graphError(400, 'ErrorInvalidUrlQuery', pages.listMessages);
  const selected = url.searchParams.get('$select')?.split(',');
  const skip = Number(url.searchParams.get('$skip') ?? 0);
  const found = mailbox.having(property, value);
  // The extended property is not part of the answer.
  const page = found.slice(skip, skip + pageSize).map((each) => select(shown(each, headers), selected));
  const next = new URL(url.pathname + url.search, origin);
  next.searchParams.set('$skip', String(skip + pageSize));
  const nextLink = skip + pageSize < found.length ? { '@odata.nextLink': next.href } : {};
  return { status: 200, body: { value: page, ...nextLink }, follows: pages.filterByProperty };
}

function remove(id: string, isPermanent: boolean, { mailbox, canWrite, isGlobalCloud }: OpenMailbox): Answer {
  if (!canWrite) return accessDenied();
  if (isPermanent && !isGlobalCloud) return graphError(400, 'BadRequest', pages.permanentDelete);
  const stored = mailbox.find(id);
  if (stored === undefined) return graphError(404, 'ErrorItemNotFound', pages.errors);
  if (isPermanent) mailbox.purge(stored);
  else mailbox.move(stored, 'deleteditems');
  return { status: 204, follows: isPermanent ? pages.permanentDelete : pages.deleteMessage };
}

/** 403 of an application without permission for the mailbox. */
export function accessDenied(): Answer {
  return graphError(403, 'ErrorAccessDenied', pages.authorizationErrors);
}

/** A message as a response shows it; its id is immutable for a request that prefers so. */
function shown(stored: StoredMessage, headers: MailboxRequest['headers']): Message {
  const isImmutable = /(^|,)\s*IdType="ImmutableId"/.test(headers.prefer ?? '');
  const id = isImmutable ? stored.immutableId : stored.regularId;
  const webLink = `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(stored.immutableId)}&exvsurl=1&viewmodel=ReadMessageItem`;
  return { ...stored.message, id, parentFolderId: stored.folder, webLink };
}

function select(message: Message, selected: readonly string[] | undefined): Message {
  if (selected === undefined) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => selected.includes(name)));
}
