const EVENT_STREAM = /^text\/event-stream\s*(;|$)/i;

/** Whether a body of this type is a stream of events. */
export function isEventStream(contentType: string | undefined): boolean {
  return EVENT_STREAM.test(contentType ?? '');
}

/**
 * Reads a stream of events piece by piece (HTML Standard, section 9.2.6), of which only the data count.
 *
 * @param see gets the data of each event; true ends the reading.
 * @returns a function of each piece that says whether the reading has ended; bytes that are not UTF-8 end it, too.
 */
export function eventReader(see: (data: string) => Promise<boolean>) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let unended = '';
  let data: string[] = [];
  let endedWithReturn = false;

  return async (piece: Uint8Array): Promise<boolean> => {
    const text = decoded(decoder, piece);
    if (text === undefined) return true;
    // A carriage return and a line feed are one end of a line, in two pieces too.
    const [first = '', ...others] = (endedWithReturn ? text.replace(/^\n/, '') : text).split(/\r\n|\r|\n/);
    endedWithReturn = text === '' ? endedWithReturn : text.endsWith('\r');
    const lines = [unended + first, ...others];
    unended = lines.pop()!;
    for (const line of lines) {
      const [, value] = /^data(?:: ?(.*))?$/s.exec(line) ?? [];
      if (/^data(:|$)/.test(line)) data.push(value ?? '');
      if (line !== '' || data.length === 0) continue;
      const whole = data.join('\n');
      data = [];
      if (await see(whole)) return true;
    }
    return false;
  };
}

function decoded(decoder: TextDecoder, piece: Uint8Array): string | undefined {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    return undefined;
  }
}
