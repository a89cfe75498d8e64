import { CONTROL_CHARACTERS as controls, text } from './text.ts';

/** The host name or the address of a mail server. */
export const mailHost = text({ min: 1, max: 253 });
/** The user name at a mail server. */
export const mailLogin = text({ min: 1, max: 320 });
export const mailFolder = text({ min: 1, max: 1000 });
export const mailSecret = text({ min: 1, max: 16_384 });
const SEPARATORS = String.raw`\u2028\u2029`;

/** The display name of an address. */
export const displayName = text({ min: 1, max: 100 }).regex(
  new RegExp(`^[^\\s${controls}]([^${controls}${SEPARATORS}]*[^\\s${controls}])?$`),
  'must be printable, without white space around it',
);
