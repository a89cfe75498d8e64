/*
 * Loaded into each process of a platform by `--import`, with the address of a name server as its query: every resolver of the process asks
 * that server alone. No setting of the product changes name servers, which are those of the machine.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const server = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const { Resolver } = dns.promises;

dns.promises.Resolver = class extends Resolver {
  constructor(...options: ConstructorParameters<typeof Resolver>) {
    super(...options);
    this.setServers([server]);
  }
};
syncBuiltinESMExports();
