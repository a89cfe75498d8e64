import http from 'node:http';
import { SourceUnavailable } from '../errors.mjs';
import { reasonOf } from './program.mjs';

const answerWithinMs = 5_000;

/**
 * Requests a file, through the proxy of HTTPS_PROXY if there is one. A server that does not begin to answer within seconds
 * counts as unavailable, because a firewall may drop every packet.
 *
 * @param {string} url
 * @returns {Promise<Response>} whose body has not been read
 * @throws {SourceUnavailable}
 */
export async function download(url) {
  const restore = http.setGlobalProxyFromEnv();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('no answer')), answerWithinMs);
  try {
    const response = await fetch(url, { signal: timeout.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response;
  } catch (error) {
    const { cause } = /** @type {Error} */ (error);
    throw new SourceUnavailable(`${url} not downloaded (${reasonOf(cause ?? error)})`);
  } finally {
    clearTimeout(timer);
    restore();
  }
}
