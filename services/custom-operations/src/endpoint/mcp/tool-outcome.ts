import { Buffer } from 'node:buffer';
import { isObject } from '@action-platform/contracts/schema';
import { type CallOfText, ExactJson, stringifyJson, valuesAtAsync } from '@action-platform/json';
import type { EndpointOutcome } from '../outcome.ts';
import { refusedWith, upstreamOutcome } from '../upstream-outcome.ts';
import type { Reply } from './client.ts';
import { errorIn } from './message.ts';

const INVALID_PARAMS = -32_602;

interface Judging {
  /** The most bytes of a result. */
  readonly maxBytes: number;
  /** Whether 401 and 403 refuse the credential. */
  readonly hasCredential: boolean;
}

/** The outcome that the reply to a call of a tool means. @throws JsonBusyError */
export async function toolOutcome(
  { answer, message, secrets }: Reply,
  { maxBytes, hasCredential }: Judging,
  reading: CallOfText,
): Promise<EndpointOutcome> {
  const { status, failure = 'unreadable_answer' } = answer;
  if (status < 200 || status >= 300)
    return await upstreamOutcome(answer, { secrets, hasCredential }, reading);
  if (message === undefined) return { is: 'unknown', cause: failure };
  const error = errorIn(message);
  if (error?.code === INVALID_PARAMS)
    return refusedWith('The server refused the input', error.message, secrets);
  if (error !== undefined) return { is: 'unknown', cause: 'rpc_error' };
  const { result } = message;
  if (result?.kind !== 'object') return { is: 'unknown', cause: 'unreadable_answer' };
  if (result.byteLength > maxBytes) return { is: 'unknown', cause: 'too_large' };
  const places = [['content', '*'], ['structuredContent'], ['isError'], ['resultType']];
  const [items, [structured], [isError], [type = '"complete"']] = (await valuesAtAsync(
    result.text,
    places,
    reading,
  )) as [string[], string[], string[], string[]];
  // A server that asks for input first asks a client without capabilities: nothing will answer it.
  if (type !== '"complete"') return { is: 'unknown', cause: 'unreadable_answer' };
  const content = items.map(contentOf);
  if (content.includes(undefined)) return { is: 'unknown', cause: 'unreadable_answer' };
  if (isError === 'true') return refusedWith('The tool answered', textOf(items), secrets);
  const structuredContent = structured === undefined ? undefined : new ExactJson(structured);
  return { is: 'done', result: stringifyJson({ content, structuredContent }) };
}

type Item = Readonly<Record<string, unknown>>;

/** What callers get of an item of a result: a text as it was sent, of anything else its form; undefined for none. */
function contentOf(text: string | undefined): object | undefined {
  const item: unknown = JSON.parse(text ?? 'null');
  if (!isObject(item) || typeof item.type !== 'string') return undefined;
  if (item.type === 'text') return typeof item.text === 'string' ? new ExactJson(text!) : undefined;
  const held: Item = isObject(item.resource) ? item.resource : item;
  const { mimeType = 'application/octet-stream' } = held;
  return { type: item.type, mimeType: String(mimeType), bytes: bytesOf(held) };
}

/** How many bytes an item has: encoded (image, audio, resource), as text (resource), or elsewhere (link). */
function bytesOf({ data, blob, text, size }: Item): number {
  const encoded = data ?? blob;
  if (typeof encoded === 'string') return Buffer.byteLength(encoded, 'base64');
  if (typeof text === 'string') return Buffer.byteLength(text);
  return Number.isSafeInteger(size) ? (size as number) : 0;
}

function textOf(items: readonly string[]): string {
  const read = items.map((text) => JSON.parse(text) as Item);
  return read.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('\n');
}
