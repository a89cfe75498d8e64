import { REDIRECT_URI_MAX_LENGTH, REDIRECT_URIS_MAX } from '@action-platform/contracts/resources';
import { codePointLength, HIDDEN_CHARACTERS } from '@action-platform/contracts/schema';

/** The metadata by which a client describes itself (RFC 7591, section 2). */
export interface ClientMetadata {
  readonly name: string;
  readonly uri?: string | undefined;
  readonly redirectUris: readonly string[];
}

/** A fault in the metadata of a client, with its error code (RFC 7591, section 3.2.2). */
export interface MetadataProblem {
  readonly refused: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly problem: string;
}

const NAME_MAX_LENGTH = 100;

/** Schemes that a browser runs, or opens here, instead of passing them to a program. */
const OWN_SCHEMES = ['javascript:', 'data:', 'file:', 'blob:', 'vbscript:', 'about:', 'filesystem:'];

const LOCAL_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

const HIDDEN = new RegExp(HIDDEN_CHARACTERS, 'u');

/** The first fault of these metadata; undefined without one. */
export function problemOf({ name, uri, redirectUris }: ClientMetadata): MetadataProblem | undefined {
  const refused = 'invalid_client_metadata';
  if (name === '' || codePointLength(name) > NAME_MAX_LENGTH || HIDDEN.test(name))
    return { refused, problem: `client_name: must have 1 to ${NAME_MAX_LENGTH} visible characters.` };
  if (uri !== undefined && (URL.parse(uri)?.protocol !== 'https:' || !isPlain(uri)))
    return { refused, problem: 'client_uri: must be an address that begins with https://.' };
  if (redirectUris.length === 0 || redirectUris.length > REDIRECT_URIS_MAX)
    return {
      refused: 'invalid_redirect_uri',
      problem: `redirect_uris: must have 1 to ${REDIRECT_URIS_MAX} addresses.`,
    };
  const [problem] = redirectUris.map(redirectProblem).filter((found) => found !== undefined);
  return problem === undefined ? undefined : { refused: 'invalid_redirect_uri', problem };
}

/** Whether a client may be sent to `asked`: to one of its own addresses, but for the port of an address of this machine. */
export function mayRedirect({ redirectUris }: ClientMetadata, asked: string): boolean {
  return (
    redirectProblem(asked) === undefined &&
    redirectUris.some((known) => withAnyPort(known) === withAnyPort(asked))
  );
}

/** RFC 8252, section 7.3: a program on the machine of its user listens at a port that is free. */
function withAnyPort(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  const isLocal = protocol === 'http:' && LOCAL_HOSTS.includes(hostname);
  return isLocal ? uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^:/?]*)):\d*/i, '$1') : uri;
}

function redirectProblem(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url === null || !isPlain(uri))
    return 'redirect_uris: each must be an address of at most 500 characters.';
  const { protocol, hostname, username, password } = url;
  if (protocol === 'http:' && !LOCAL_HOSTS.includes(hostname))
    return 'redirect_uris: http is for 127.0.0.1, [::1] and localhost alone.';
  if (OWN_SCHEMES.includes(protocol)) return `redirect_uris: the scheme ${protocol} leads to no program.`;
  if (username !== '' || password !== '' || uri.includes('#') || uri.includes('*'))
    return 'redirect_uris: must have no user, no fragment and no *.';
  return undefined;
}

/** Whether a text is an address as RFC 3986 writes one, of a length that is allowed. */
function isPlain(uri: string): boolean {
  return uri.length <= REDIRECT_URI_MAX_LENGTH && /^[\x21-\x7e]+$/.test(uri) && !/["<>\\^`{|}]/.test(uri);
}
