import type { Buffer } from 'node:buffer';
import { visible } from '@action-platform/contracts/operations';
import { type CallOfText, stringifyJson } from '@action-platform/json';
import type { OutboundAnswer } from '@action-platform/outbound-http';
import {
  type EndpointOutcome,
  jsonIn,
  refusesCredential,
  type UndeclaredRefusal,
  undecidedBy,
} from './outcome.ts';

const MESSAGE_MAX_LENGTH = 500;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The outcome that the answer of an API means.
 *
 * @param secrets of its request: a message that repeats one is left out.
 * @param hasCredential whether 401 and 403 refuse the credential.
 * @throws JsonBusyError
 */
export async function upstreamOutcome(
  answer: OutboundAnswer,
  { secrets, hasCredential }: { readonly secrets: readonly string[]; readonly hasCredential: boolean },
  call?: CallOfText,
): Promise<EndpointOutcome> {
  const { status, failure = 'unreadable_answer' } = answer;
  if (status >= 200 && status < 300) {
    const result = await resultIn(answer, call);
    return result === undefined ? { is: 'unknown', cause: failure } : { is: 'done', result };
  }
  if (refusesCredential(status, hasCredential)) return { is: 'unavailable', cause: 'credential_refused' };
  const undecided = undecidedBy(status);
  if (undecided !== undefined) return { is: undecided, cause: `status_${status}` };
  const said = messageIn((await jsonIn(answer, call))?.text);
  return refusedWith(`The API answered with status ${status}`, said, secrets);
}

/** A refusal with what the API said, unless that repeats a secret. */
export function refusedWith(
  by: string,
  said: string | undefined,
  secrets: readonly string[],
): UndeclaredRefusal {
  const isShown = said !== undefined && said !== '' && !secrets.some((secret) => said.includes(secret));
  const message = isShown ? `: ${[...visible(said)].slice(0, MESSAGE_MAX_LENGTH).join('')}` : '.';
  return { is: 'refused', message: `${by}${message}` };
}

/** The result of a success, as JSON; undefined for an answer that cannot be one. */
async function resultIn(answer: OutboundAnswer, call?: CallOfText): Promise<string | undefined> {
  const { status, headers, body } = answer;
  if (body === undefined || (headers['content-encoding'] ?? 'identity') !== 'identity') return undefined;
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1);
  if (body.length === 0) return JSON.stringify({ status, text: '' });
  if (/[/+]json\s*$/.test(mediaType)) {
    const read = await jsonIn(answer, call);
    return read && stringifyJson({ status, body: read });
  }
  const text = mediaType === '' || /^text\/|[/+]xml\s*$/.test(mediaType) ? utf8(body) : undefined;
  if (text !== undefined) return JSON.stringify({ status, text });
  const isForm = /^[\w.+-]{1,100}\/[\w.+-]{1,100}\s*$/.test(mediaType);
  const shown = isForm ? mediaType.trim() : 'application/octet-stream';
  return JSON.stringify({ status, mediaType: shown, bytes: body.length });
}

/** The message in the body of an error, wherever APIs put it. */
function messageIn(text = '{}'): string | undefined {
  const said = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  const inError = (said.error as { readonly message?: unknown } | undefined)?.message;
  return [inError, said.message, said.detail, said.title].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
}

function utf8(body: Buffer): string | undefined {
  try {
    return UTF8.decode(body);
  } catch {
    return undefined;
  }
}
