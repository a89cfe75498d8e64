import { type Attributes, type AttributeValue, type Link, TraceFlags } from '@opentelemetry/api';
import type { EndedSpan } from './light-span.ts';

/*
 * The texts of many spans as one string. Each span has its ids, which have a fixed length, its name, its attributes and its links, with a
 * separator before each attribute and link and after each span. This takes a third of the time of JSON; nearly every span is written and
 * never read.
 */

/** Separators: control characters that no name contains and that are removed from values. */
const SPAN = '\u001d';
const ATTRIBUTE = '\u001e';
const LINK = '\u001f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators.
const SEPARATORS = /[\u001d-\u001f]/g;
/** Between the name and the value of an attribute: before a string as it is, or before JSON. */
const TEXT = '=';
const JSON_VALUE = ':';

const TRACE_ID = 32;
const SPAN_ID = 16;
const NO_PARENT = '0'.repeat(SPAN_ID);
/** After the ids of a link to a span of another process. */
const REMOTE = '!';

/** The texts of one span. */
type Texts = Pick<EndedSpan, 'name' | 'context' | 'added' | 'links'> & {
  readonly parentSpanId: string | undefined;
};

/** Writes the texts of spans, without the attributes that they began with where those are `known`. */
export function writeTexts(spans: readonly EndedSpan[], known: (given: Attributes) => boolean): string {
  // Joining one list at the end takes a fraction of the time of repeated concatenation.
  const pieces: string[] = [];
  for (const { context, parent, name, given, added, links } of spans) {
    pieces.push(context.traceId, context.spanId, parent === undefined ? NO_PARENT : parent.spanId, name);
    writeAttributes(pieces, known(given) ? added : { ...given, ...added });
    for (const { context: linked } of links) {
      pieces.push(LINK, linked.traceId, linked.spanId);
      if (linked.isRemote === true) pieces.push(REMOTE);
    }
    pieces.push(SPAN);
  }
  return pieces.join('');
}

/** Splits what `writeTexts` wrote into the texts of each span. */
export function splitTexts(texts: string): readonly string[] {
  return texts.split(SPAN);
}

/** Reads the texts of one span. */
export function readTexts(text: string): Texts {
  const ids = TRACE_ID + 2 * SPAN_ID;
  const parent = text.slice(TRACE_ID + SPAN_ID, ids);
  const [head = '', ...links] = text.slice(ids).split(LINK);
  const [name = '', ...added] = head.split(ATTRIBUTE);
  return {
    context: contextAt(text),
    parentSpanId: parent === NO_PARENT ? undefined : parent,
    name,
    added: Object.fromEntries(added.map(attributeOf)),
    links: links.map(linkOf),
  };
}

function writeAttributes(pieces: string[], attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'string') pieces.push(ATTRIBUTE, name, TEXT, withoutSeparators(value));
    else pieces.push(ATTRIBUTE, name, JSON_VALUE, JSON.stringify(value));
  }
}

function withoutSeparators(text: string): string {
  return SEPARATORS.test(text) ? text.replaceAll(SEPARATORS, '') : text;
}

function contextAt(text: string): EndedSpan['context'] {
  return { traceId: text.slice(0, TRACE_ID), spanId: text.slice(TRACE_ID, TRACE_ID + SPAN_ID) };
}

function linkOf(text: string): Link {
  const isRemote = text.endsWith(REMOTE);
  // Spans are read for export, and linked traces are exported with them.
  return { context: { ...contextAt(text), traceFlags: TraceFlags.SAMPLED, ...(isRemote && { isRemote }) } };
}

function attributeOf(text: string): [string, AttributeValue] {
  const end = text.search(/[=:]/);
  const value = text.slice(end + 1);
  return [text.slice(0, end), text[end] === TEXT ? value : JSON.parse(value)];
}
