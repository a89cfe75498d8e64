import type { Message } from '@microsoft/microsoft-graph-types';
import { graphError, type StandInAnswer } from './stand-in-answer.ts';
import type { FaultyCall } from './stand-in-faults.ts';
import type { StandInMailbox, StoredMessage } from './stand-in-mailbox.ts';

/** A request for a mailbox. */
export interface MailboxRequest {
  readonly mailbox: StandInMailbox;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The settings that differ between clouds, and from day to day. */
export interface Cloud {
  /** How long the filter does not find a new message, in milliseconds. */
  readonly lagMs: number;
  /** Whether the cloud has "message: permanentDelete". */
  readonly isGlobalCloud: boolean;
  /** How many results a page has at most. */
  readonly pageSize: number;
}

/** A documented call: the faults of its kind, and its answer. */
type Route = readonly [call: FaultyCall, answer: () => StandInAnswer];

/** The documented filter of "Get singleValueLegacyExtendedProperty". */
const FILTER =
  /^singleValueExtendedProperties\/Any\(ep: ep\/id eq '((?:String) \{[0-9a-fA-F-]{36}\} Name \w+)' and ep\/value eq '([^']*)'\)$/;
/** The most bytes of a request. */
const REQUEST_BYTES_MAX = 4 * 1024 * 1024;

/** The documented call of a request in a mailbox; undefined when the stand-in has none. */
export function routeOf(path: string, request: MailboxRequest, cloud: Cloud): Route | undefined {
  const [, collection = '', encodedId = '', action = ''] = /^\/(\w+)(?:\/([^/]+)(\/\w+)?)?$/.exec(path) ?? [];
  const id = decodeURIComponent(encodedId);
  switch (`${request.method} ${collection}${id === '' ? '' : '/id'}${action}`) {
    // "Get mailFolder"
    case 'GET mailFolders/id':
      return id === 'drafts' ? ['folder', () => ({ status: 200, body: { id: 'AQMkADdrafts' } })] : undefined;
    case 'GET messages':
      return ['search', () => list(request, cloud)];
    case 'POST messages':
      return ['create', () => create(request, cloud)];
    case 'DELETE messages/id':
      return ['remove', () => remove(id, false, request, cloud)];
    case 'POST messages/id/permanentDelete':
      return ['remove', () => remove(id, true, request, cloud)];
    default:
      return undefined;
  }
}

/** "Create message" */
function create({ mailbox, headers, body }: MailboxRequest, { lagMs }: Cloud): StandInAnswer {
  if (mailbox.access !== 'write') return accessDenied();
  if (body.length > REQUEST_BYTES_MAX) return graphError(413, 'RequestEntityTooLarge');
  if (headers['content-type'] === 'text/plain') return graphError(400, 'ErrorMimeContentInvalidBase64String');
  if (headers['content-type'] !== 'application/json') return graphError(415, 'UnsupportedMediaType');
  const stored = mailbox.add(JSON.parse(body) as Message, lagMs);
  return { status: 201, body: shown(stored, headers) };
}

/** "List messages" */
function list({ mailbox, url, headers }: MailboxRequest, { pageSize }: Cloud): StandInAnswer {
  const [, property, value] = FILTER.exec(url.searchParams.get('$filter') ?? '') ?? [];
  if (property === undefined || value === undefined) return graphError(400, 'ErrorInvalidUrlQuery');
  const selected = url.searchParams.get('$select')?.split(',');
  const skip = Number(url.searchParams.get('$skip') ?? 0);
  const found = mailbox.having(property, value);
  // The extended property is not part of the answer.
  const page = found.slice(skip, skip + pageSize).map((each) => select(shown(each, headers), selected));
  const next = new URL(url);
  next.searchParams.set('$skip', String(skip + pageSize));
  const nextLink = skip + pageSize < found.length ? { '@odata.nextLink': next.href } : {};
  return { status: 200, body: { value: page, ...nextLink } };
}

/** "message: permanentDelete", or "Delete message" */
function remove(id: string, isPermanent: boolean, { mailbox }: MailboxRequest, cloud: Cloud): StandInAnswer {
  if (mailbox.access !== 'write') return accessDenied();
  if (isPermanent && !cloud.isGlobalCloud) return graphError(400, 'BadRequest');
  const stored = mailbox.find(id);
  if (stored === undefined) return graphError(404, 'ErrorItemNotFound');
  if (isPermanent) mailbox.purge(stored);
  else mailbox.move(stored, 'deleteditems');
  return { status: 204 };
}

/** 403 of an application without permission for the mailbox ("Resolve Microsoft Graph authorization errors"). */
export function accessDenied(): StandInAnswer {
  return graphError(403, 'ErrorAccessDenied');
}

/** A message as a response shows it; its id is immutable for a request that prefers so ("Obtain immutable identifiers for Outlook resources"). */
function shown(stored: StoredMessage, headers: MailboxRequest['headers']): Message {
  const isImmutable = /(^|,)\s*IdType="ImmutableId"/.test(String(headers.prefer));
  const id = isImmutable ? stored.immutableId : stored.regularId;
  const webLink = `https://outlook.office365.com/owa/?ItemID=${encodeURIComponent(stored.immutableId)}&exvsurl=1&viewmodel=ReadMessageItem`;
  return { ...stored.message, id, parentFolderId: stored.folder, webLink };
}

function select(message: Message, selected: readonly string[] | undefined): Message {
  if (selected === undefined) return message;
  return Object.fromEntries(Object.entries(message).filter(([name]) => selected.includes(name)));
}
