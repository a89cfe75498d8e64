import { AddressRefused } from './destination-check.ts';

/** The request was not sent: the URL or an address was refused, or no connection was made. `cause` has the reason. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('The request was not sent.', { cause });
    this.name = 'NotSent';
  }
}

/** Why a request failed, without the content of any message. */
type Failure = 'address_refused' | 'connection_failed' | 'timeout' | 'tls_failed';

/** Why a request failed, by what was thrown and the signal that limited its time. */
export function requestFailure(error: unknown, time: AbortSignal): Failure {
  if (time.aborted) return 'timeout';
  const reason = error instanceof NotSent ? error.cause : error;
  if (reason instanceof AddressRefused) return 'address_refused';
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(
    (reason as NodeJS.ErrnoException).code ?? '',
  )
    ? 'tls_failed'
    : 'connection_failed';
}
