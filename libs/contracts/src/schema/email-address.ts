import { z } from 'zod';

/** The characters of the words of a local part: atext of RFC 5322, section 3.2.3. */
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
/** A label of a host name: RFC 1123, section 2.1, and at most 63 octets by RFC 1035, section 2.3.4. */
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The last label begins with a letter, so that the pattern refuses an IP address. */
const topLabel = '[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]';

/** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, the angle brackets included. */
const MAX_LENGTH = 254;

/** RFC 5321, section 4.5.3.1.1: a local part has at most 64 octets. */
const localPart = `(?=[^@]{1,64}@)${atom}(?:\\.${atom})*`;

const pattern = new RegExp(`^${localPart}@(?:${label}\\.)+${topLabel}$`);

/**
 * An e-mail address: the Mailbox of RFC 5321, section 4.1.2, without its rare forms (quoted local parts, address
 * literals, host names of one label). `emailAddress` is narrower than the JSON Schema format `email`. The published pattern makes clients
 * that check formats and clients that do not accept the same addresses.
 */
export const emailAddress = z
  .email({
    pattern,
    error: ({ input }) =>
      typeof input === 'string' && /[^\0-\x7f]/.test(input)
        ? 'must be in ASCII: write the domain in Punycode (bücher.example is xn--bcher-kva.example); other letters before the @ are not supported'
        : undefined,
  })
  .max(MAX_LENGTH);
