import assert from 'node:assert/strict';

/** An answer as the server wrote it to the connection (RFC 9112). */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Part<Value> {
  readonly value: Value;
  /** The offset of the bytes after it. */
  readonly end: number;
}

/**
 * Parses the bytes of a connection into answers.
 *
 * @param isHead whether an answer may be one to HEAD, which has a length and no body (RFC 9110, section 9.3.2).
 * @throws AssertionError when it is not well-formed HTTP, or the last answer is not whole.
 */
export function rawAnswers(bytes: Buffer, isHead: boolean): RawAnswer[] {
  const text = bytes.toString('latin1');
  const answers: RawAnswer[] = [];
  for (let at = 0; at < text.length; ) {
    const { value, end } = readAnswer(text, at, isHead);
    answers.push(value);
    at = end;
  }
  return answers;
}

function readAnswer(text: string, start: number, isHead: boolean): Part<RawAnswer> {
  const headEnd = text.indexOf('\r\n\r\n', start);
  assert(headEnd !== -1, `an answer without an end of its head: ${shown(text, start)}`);
  const [statusLine = '', ...lines] = text.slice(start, headEnd).split('\r\n');
  const [, digits] = /^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(statusLine) ?? [];
  assert(digits !== undefined, `no status line: ${shown(text, start)}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([\t -~\x80-\xff]*)$/.exec(line) ?? [];
    assert(name !== undefined, `no header line: ${line.slice(0, 200)}`);
    headers[name.toLowerCase()] = value!.trim();
  }
  const status = Number(digits);
  const { value: body, end } = readBody(text, headEnd + 4, { status, headers, isHead });
  return { value: { status, headers, body: Buffer.from(body, 'latin1').toString() }, end };
}

/** Finds the end of the body by RFC 9112, section 6.3. */
function readBody(
  text: string,
  start: number,
  { status, headers, isHead }: Omit<RawAnswer, 'body'> & { readonly isHead: boolean },
): Part<string> {
  if (status < 200 || status === 204 || status === 304) return { value: '', end: start };
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (isHead && (start === text.length || text.startsWith('HTTP/1.1 ', start)))
    return { value: '', end: start };
  if (coding !== undefined) {
    assert(
      coding === 'chunked' && length === undefined,
      `Transfer-Encoding ${coding}, Content-Length ${length}`,
    );
    return readChunks(text, start);
  }
  if (length === undefined) return { value: text.slice(start), end: text.length };
  assert(/^\d+$/.test(length), `Content-Length ${length}`);
  const end = start + Number(length);
  assert(end <= text.length, `an answer of ${length} bytes ends after ${text.length - start}`);
  return { value: text.slice(start, end), end };
}

function readChunks(text: string, start: number): Part<string> {
  let body = '';
  for (let at = start; ; ) {
    const [line, digits] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? [];
    assert(line !== undefined, `a chunk without a size: ${shown(text, at)}`);
    const size = Number.parseInt(digits!, 16);
    const end = at + line.length + size;
    assert(text.slice(end, end + 2) === '\r\n', 'a chunk that is not whole');
    if (size === 0) return { value: body, end: end + 2 };
    body += text.slice(at + line.length, end);
    at = end + 2;
  }
}

function shown(text: string, start: number): string {
  return JSON.stringify(text.slice(start, start + 200));
}
