import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { type Dovecot, findDovecot, startDovecot } from '@action-platform/local-servers';
import { listen, makeTestFolder, Receiver, testCertificate } from '@action-platform/testing';
import { aptInstall } from '@action-platform/toolchain';
import { accept, endpointKinds, HostileEndpoint } from './hostile-endpoint.ts';
import { HostileMailServer, mailKinds } from './hostile-mail.ts';
import { HONEST_HOST, HostileNames, NAMES } from './hostile-names.ts';

/** The password of every mailbox. */
export const PASSWORD = 'open-sesame';

/** The servers outside the platform: hostile ones, which are ordinary at first, and an honest one of each kind. */
export interface Servers {
  /** The authority of their certificates. */
  readonly authority: string;
  readonly names: HostileNames;
  readonly endpoints: readonly HostileEndpoint[];
  readonly mail: readonly HostileMailServer[];
  readonly honest: {
    readonly mail: Dovecot;
    readonly endpoint: Receiver;
    /** The URL of the endpoint with the name of its host. */
    readonly url: string;
  };
  stop(): Promise<void>;
}

/** Starts the servers; on Debian it installs Dovecot, as root. */
export async function startServers(): Promise<Servers> {
  if (findDovecot() === undefined) await aptInstall('dovecot-imapd');
  const { authority, server: pem } = await testCertificate([...NAMES, '127.0.0.1']);
  const names = await HostileNames.start(pem);
  const endpoints = await Promise.all(endpointKinds.map((kind) => HostileEndpoint.start(kind)));
  const mail = await Promise.all(mailKinds.map((kind) => new HostileMailServer(kind, pem).start()));
  const honestMail = await startDovecot({ folder: makeTestFolder(), certificate: pem, password: PASSWORD });
  const endpoint = await Receiver.start(accept);
  const { port, pathname } = new URL(endpoint.url);
  const withTls = createServer({ cert: pem, key: pem }, (secure) => {
    const plain = connect(Number(port), '127.0.0.1');
    pipeline(secure, plain, secure, () => {});
  }).on('tlsClientError', () => {});
  const url = `https://${HONEST_HOST}:${await listen(withTls)}${pathname}`;
  return {
    ...{ authority, names, endpoints, mail },
    honest: { mail: honestMail, endpoint, url },
    stop: async () => {
      withTls.close();
      for (const each of [...endpoints, endpoint, ...mail, names]) each.stop();
      await honestMail.stop();
    },
  };
}
