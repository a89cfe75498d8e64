import { DraftRefused, MailUnavailable, SignInRefused } from '../../provider.ts';

/** When to try again after a refusal without a time, in seconds. */
const RETRY_SECONDS = 2;
/** When to try again at the latest, whatever the server says, in seconds. */
export const RETRY_MAX_SECONDS = 3600;
/** When to try again after a connection that failed, in seconds. A call with less time left ends at once. */
const UNREACHABLE_SECONDS = 10;

/** Response codes of a server without capacity at present (RFC 5530, section 3; RFC 9051, section 7.1). */
const LATER = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE']);

/**
 * Response codes of a refused APPEND that only a person can resolve (RFC 5530, section 3; RFC 9051, section 7.1; RFC 4469,
 * section 4.2; APPENDLIMIT is the client's own, RFC 7889).
 */
const FINAL = new Set([
  'OVERQUOTA',
  'NOPERM',
  'CANNOT',
  'NONEXISTENT',
  'TRYCREATE',
  'TOOBIG',
  'BADCHARSET',
  'APPENDLIMIT',
]);

/** The server as its settings name it. */
interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The fields of an error of the client or of Node.js. */
interface ClientError {
  readonly code?: string;
  readonly serverResponseCode?: string;
  readonly authenticationFailed?: boolean;
  /** The folder of a refused SELECT does not exist. */
  readonly mailboxMissing?: boolean;
  /** In milliseconds. */
  readonly throttleReset?: number;
}

/** The server has no folder for drafts. */
export class NoDraftsFolder extends Error {}

/** A refused APPEND as DraftRefused, when it is final; any other error as it is. */
export function draftRefusal(error: unknown): unknown {
  const { serverResponseCode = '' } = error as ClientError;
  return error instanceof NoDraftsFolder || FINAL.has(serverResponseCode)
    ? new DraftRefused({ cause: error })
    : error;
}

/** Whether the server refused to select a folder because it does not exist, or the account may not read it (RFC 5530). */
export function isClosedFolder(error: unknown): boolean {
  const { serverResponseCode } = error as ClientError;
  return serverResponseCode === 'NONEXISTENT' || serverResponseCode === 'NOPERM';
}

/** The meaning of an error for the caller of a provider. */
export function meaningOf(error: unknown, { host, port }: ServerAddress): unknown {
  const isPlain = [DraftRefused, SignInRefused, NoDraftsFolder, ImapFailure].some(
    (known) => error instanceof known,
  );
  if (isPlain) return error;
  const server = `${host}:${port}`;
  const fields = error as ClientError;
  const { code = '', serverResponseCode = '', authenticationFailed, mailboxMissing, throttleReset } = fields;
  if (LATER.has(serverResponseCode)) return new MailUnavailable(RETRY_SECONDS);
  if (throttleReset !== undefined) {
    return new MailUnavailable(Math.min(Math.ceil(throttleReset / 1000), RETRY_MAX_SECONDS));
  }
  if (authenticationFailed) return new SignInRefused(`${server} refuses the login or the password.`);
  // The codes of OpenSSL's X509_V_ERR_…, as Node.js names them, and of a host name that the certificate does not cover.
  if (/CERT|LEAF_SIGNATURE/.test(code)) {
    return new SignInRefused(`The certificate of ${server} is not trusted (${code}).`);
  }
  const known = serverResponseCode || (mailboxMissing ? 'NONEXISTENT' : code);
  return new ImapFailure(isCode(known) ? known : 'no code');
}

/** The meaning of an error before the work of a session: no draft was touched, whatever became of the connection. */
export function meaningBeforeWork(error: unknown, server: ServerAddress): unknown {
  const meaning = meaningOf(error, server);
  return meaning instanceof ImapFailure ? unreachable(meaning) : meaning;
}

/** The error of a session that ended before its work began. @param cause how it ended */
export function unreachable(cause: unknown): MailUnavailable {
  return new MailUnavailable(UNREACHABLE_SECONDS, { cause });
}

/** Whether a text is short and plain, as codes are. A server chooses its own. */
export function isCode(text: string): boolean {
  return /^[\w -]{1,64}$/.test(text);
}

/** A call to the server failed, and nobody knows how far it came. */
export class ImapFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The IMAP server did not complete the call (${code}).`);
    this.name = 'ImapFailure';
    this.code = code;
  }
}

/** A session was ended because its server makes too much work, or fills the heap of the thread. */
export class TooMuchWork extends ImapFailure {}
