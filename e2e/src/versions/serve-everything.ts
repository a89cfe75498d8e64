import { rmSync } from 'node:fs';
import { services } from '@action-platform/contracts/services';
import { freePort } from '@action-platform/local-servers';
import { makeTestFolder, TestIssuer, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import type { Operate } from '../operator.ts';
import { OWNER } from './everything.ts';

/** Every service and a gateway, once for each of these environments, for the tests of a file. */
export function serveEverything(...environments: readonly Readonly<Record<string, string>>[]) {
  const [platform, issuer, drafts] = [new TestPlatform(), new TestIssuer(), makeTestFolder()];
  const gateways: string[] = [];
  const common = { MAIL_LOCAL_DIR: drafts };
  beforeAll(async () => {
    await issuer.start();
    for (const environment of environments) {
      for (const service of services) await platform.spawn(service, { ...common, ...environment });
      const PORT = String(await freePort());
      await platform.spawn('gateway', { ...issuer.environment, ...common, ...environment, PORT });
      gateways.push(`http://127.0.0.1:${PORT}`);
    }
  }, 120_000);
  afterAll(async () => {
    await platform.stop();
    issuer.stop();
    rmSync(drafts, { recursive: true });
  });
  const operate: Operate = (call, input) => platform.callAs('admin', call, input);
  const token = (workspaceId: string) => issuer.token({ workspaceId, userId: OWNER });
  return { platform, gateways, common, operate, token };
}
