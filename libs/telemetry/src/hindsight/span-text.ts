import { type Attributes, type AttributeValue, type Link, TraceFlags } from '@opentelemetry/api';
import type { EndedSpan } from './held-span.ts';

/*
 * The texts of spans, put together as one: of each the ids, which have a fixed length, the name, each attribute after an ATTRIBUTE,
 * each link after a LINK; the next after a SPAN. Three times cheaper than JSON, which matters as nearly every span is written for
 * nobody to read.
 */

/** Control characters, which no name has; taken out of values. */
const SPAN = '\u001d';
const ATTRIBUTE = '\u001e';
const LINK = '\u001f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: those from above.
const MARKS = /[\u001d-\u001f]/g;
/** What comes between the name of an attribute and its value: a text as it is, or anything else as JSON. */
const TEXT = '=';
const JSON_VALUE = ':';

const TRACE_ID = 32;
const SPAN_ID = 16;
const NO_PARENT = '0'.repeat(SPAN_ID);
/** After the ids of a link to another machine's span. */
const REMOTE = '!';

/** What the texts of a span say. */
type Texts = Pick<EndedSpan, 'name' | 'place' | 'added' | 'links'> & {
  readonly parentSpanId: string | undefined;
};

/** Puts the texts of spans together, each without the attributes that it was given if they are `known`. */
export function writeTexts(spans: readonly EndedSpan[], known: (given: Attributes) => boolean): string {
  // One list that is joined at the end: to add to a text piece by piece costs several times as much.
  const pieces: string[] = [];
  for (const { place, parent, name, given, added, links } of spans) {
    pieces.push(place.traceId, place.spanId, parent === undefined ? NO_PARENT : parent.spanId, name);
    writeAttributes(pieces, known(given) ? added : { ...given, ...added });
    for (const { context } of links) {
      pieces.push(LINK, context.traceId, context.spanId);
      if (context.isRemote === true) pieces.push(REMOTE);
    }
    pieces.push(SPAN);
  }
  return pieces.join('');
}

/** The texts of each span. */
export function splitTexts(texts: string): readonly string[] {
  return texts.split(SPAN);
}

/** Takes the texts of a span apart. */
export function readTexts(text: string): Texts {
  const ids = TRACE_ID + 2 * SPAN_ID;
  const parent = text.slice(TRACE_ID + SPAN_ID, ids);
  const [head = '', ...links] = text.slice(ids).split(LINK);
  const [name = '', ...added] = head.split(ATTRIBUTE);
  return {
    place: placeAt(text),
    parentSpanId: parent === NO_PARENT ? undefined : parent,
    name,
    added: Object.fromEntries(added.map(attributeOf)),
    links: links.map(linkOf),
  };
}

function writeAttributes(pieces: string[], attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'string') pieces.push(ATTRIBUTE, name, TEXT, withoutMarks(value));
    else pieces.push(ATTRIBUTE, name, JSON_VALUE, JSON.stringify(value));
  }
}

function withoutMarks(text: string): string {
  return MARKS.test(text) ? text.replaceAll(MARKS, '') : text;
}

function placeAt(text: string): EndedSpan['place'] {
  return { traceId: text.slice(0, TRACE_ID), spanId: text.slice(TRACE_ID, TRACE_ID + SPAN_ID) };
}

function linkOf(text: string): Link {
  const isRemote = text.endsWith(REMOTE);
  // What is read is to be exported, and so is what it links.
  return { context: { ...placeAt(text), traceFlags: TraceFlags.SAMPLED, ...(isRemote && { isRemote }) } };
}

function attributeOf(text: string): [string, AttributeValue] {
  const end = text.search(/[=:]/);
  const value = text.slice(end + 1);
  return [text.slice(0, end), text[end] === TEXT ? value : JSON.parse(value)];
}
