import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { listen, makeTestFolder, Receiver, testCertificate } from '@action-platform/testing';
import { type Dovecot, findDovecot, startDovecot } from '@action-platform/testing/dovecot';
import { aptInstall } from '@action-platform/toolchain';
import { accept } from './hostile-endpoint.ts';
import { HONEST_HOST, HostileNames, NAMES } from './hostile-names.ts';
import { HostileServers } from './hostile-servers.ts';

/** The password of every mailbox. */
export const PASSWORD = 'open-sesame';

/** The servers outside the platform: hostile ones, which are ordinary at first, and an honest one of each kind. */
export interface Servers {
  /** The authority of their certificates. */
  readonly authority: string;
  readonly names: HostileNames;
  readonly hostile: HostileServers;
  readonly honest: {
    readonly mail: Dovecot;
    readonly endpoint: Receiver;
    /** The URL of the endpoint with the name of its host. */
    readonly url: string;
  };
  stop(): Promise<void>;
}

/** Starts the servers; on Debian `startServers` installs Dovecot, as root. */
export async function startServers(): Promise<Servers> {
  if (findDovecot() === undefined) await aptInstall('dovecot-imapd');
  const { authority, server: pem } = await testCertificate([...NAMES, '127.0.0.1']);
  const names = await HostileNames.start(pem);
  const hostile = await HostileServers.start(pem);
  const honestMail = await startDovecot({ folder: makeTestFolder(), certificate: pem, password: PASSWORD });
  const endpoint = await Receiver.start(accept);
  const { port, pathname } = new URL(endpoint.url);
  const withTls = createServer({ cert: pem, key: pem }, (secure) => {
    const plain = connect(Number(port), '127.0.0.1');
    pipeline(secure, plain, secure, () => {});
  }).on('tlsClientError', () => {});
  const url = `https://${HONEST_HOST}:${await listen(withTls)}${pathname}`;
  return {
    ...{ authority, names, hostile },
    honest: { mail: honestMail, endpoint, url },
    stop: async () => {
      withTls.close();
      for (const each of [endpoint, names]) each.stop();
      await Promise.all([honestMail.stop(), hostile.stop()]);
    },
  };
}
