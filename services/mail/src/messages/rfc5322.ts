import { encode, wrap } from 'nodemailer/lib/base64';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import type { DraftMessage } from './draft-message.ts';
import { phrase, unstructured } from './header-text.ts';

/** The header field by which a provider finds the draft of a submission again. */
const MARKER_FIELD = 'X-Action-Platform-Key';

/**
 * A draft as an Internet message (RFC 5322, RFC 2045) with CRLF line ends, in ASCII only. `X-Unsent: 1` makes mail
 * programs open it for editing. The body is base64 of its UTF-8 bytes, so not even its line ends are altered.
 */
export function toRfc5322(message: DraftMessage): Buffer {
  const { from, to, cc, marker } = message;
  const fields = [
    ['From', from.name === from.address ? from.address : `${phrase(from.name)} <${from.address}>`],
    ['To', to.join(', ')],
    ...(cc.length === 0 ? [] : [['Cc', cc.join(', ')]]),
    ['Subject', unstructured(message.subject)],
    // RFC 5322, section 3.3: a zone is an offset; GMT is obsolete syntax.
    ['Date', message.date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', `<${marker}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`],
    ['X-Unsent', '1'],
    [MARKER_FIELD, marker],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Transfer-Encoding', 'base64'],
  ];
  const header = fields.map(([name, value]) => foldLines(`${name}: ${value}`));
  return Buffer.from([...header, '', wrap(encode(message.body)), ''].join('\r\n'), 'ascii');
}
