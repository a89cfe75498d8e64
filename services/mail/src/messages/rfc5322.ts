import MailComposer from 'nodemailer/lib/mail-composer';
import { MARKER_FIELD } from './marker-field.ts';

/**
 * The most bytes in an encoded-word of a subject: in base64, with its delimiters and the name of the field, the encoded-word fits on a line
 * of 76 characters (RFC 2047, section 2).
 */
const ENCODED_WORD_BYTES = 39;

/** The longest line of a header, with its line end left out (RFC 5322, section 2.1.1). */
const LINE_LENGTH = 78;

/** An e-mail to be kept as a draft by any provider. */
export interface DraftMessage {
  /** The marker of the submission: lower-case hexadecimal digits. */
  readonly marker: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Plain text, with the line ends that the caller chose. */
  readonly body: string;
  readonly date: Date;
}

/**
 * A draft as an Internet message (RFC 5322, RFC 2045) in ASCII, with CRLF line ends, also in the body (RFC 2046, section 4.1.1), which
 * is base64 of its UTF-8 bytes. `X-Unsent: 1` makes mail programs open it for editing.
 */
export async function toRfc5322({ marker, from, to, cc, ...message }: DraftMessage): Promise<Buffer> {
  const composer = new MailComposer({
    from: from.name === from.address ? from.address : from,
    to: to.map(addressAlone),
    cc: cc.map(addressAlone),
    date: message.date,
    messageId: `<${marker}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    headers: {
      // The composer would not encode text that looks encoded, nor white space that folding may alter.
      Subject: { prepared: true, value: folded('Subject: ', unstructured(message.subject)) },
      'X-Unsent': '1',
      [MARKER_FIELD]: marker,
    },
    text: message.body.replaceAll(/\r\n|\r|\n/g, '\r\n'),
    encoding: 'base64',
    textEncoding: 'B',
    // The composer must read no file or URL that a message names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const composed = composer.compile();
  if (looksEncoded(from.name)) {
    const encoded = composed.encodeHeaderValue.bind(composed);
    // The composer would quote the name, and many readers decode quoted names too.
    composed.encodeHeaderValue = (key, value) =>
      key === 'From' ? `${encodedWords(from.name)} <${from.address}>` : encoded(key, value);
  }
  return await composed.build();
}

/** An address as the composer takes it without looking for a name or a second address in it. */
function addressAlone(address: string) {
  return { name: '', address };
}

/**
 * Text as the value of an unstructured field (RFC 5322, section 3.2.5) that reads back exactly. `unstructured` encodes
 * all but words of printable ASCII between single spaces (RFC 2047): folding may alter other white space, and readers
 * would decode text that looks like an encoded-word.
 */
function unstructured(text: string): string {
  return /^[!-~]+( [!-~]+)*$/.test(text) && !looksEncoded(text) ? text : encodedWords(text);
}

/** Whether a reader may take text for an encoded-word. */
function looksEncoded(text: string): boolean {
  return text.includes('=?');
}

/** Words between single spaces on lines of their own length at most, the first one beside the name of its field. */
function folded(name: string, words: string): string {
  let line = name;
  return words.replaceAll(/(?:^| )[^ ]+/g, (word) => {
    const fits = line === name || line.length + word.length <= LINE_LENGTH;
    line = fits ? line + word : word;
    return fits ? word : `\r\n${word}`;
  });
}

/** Text as encoded-words of whole characters, in base64 (RFC 2047, sections 2 and 4.1). */
function encodedWords(text: string): string {
  const words = [''];
  for (const character of text) {
    const longer = words.at(-1) + character;
    if (Buffer.byteLength(longer) > ENCODED_WORD_BYTES) words.push(character);
    else words[words.length - 1] = longer;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
