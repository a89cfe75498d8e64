import { createDeployment } from '@action-platform/deployment';

/** The certificate of a server for tests, in PEM. */
export interface TestCertificate {
  /** The authority, which a client has to trust. */
  readonly authority: string;
  /** Certificate and private key. */
  readonly server: string;
}

/** Creates an authority and a certificate for these host names and addresses, by default those of this machine. */
export async function testCertificate(
  hosts: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<TestCertificate> {
  const settings = { seenAt: '', busHosts: hosts, databaseUrl: 'mongodb://localhost/', maxMessageBytes: 1 };
  const { certificates } = await createDeployment(settings, { tls: true });
  const { authority, servers } = certificates!.inUse;
  return { authority, server: servers.nats! };
}
