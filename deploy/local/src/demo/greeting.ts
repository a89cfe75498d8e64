import type { Demo } from './demo-workspace.ts';

/** What `npm start` ends with: an address, a token and a first call that works when pasted. */
export function greeting({ base_url, gateways, owner }: Demo, demoFile: string, seconds: string): string {
  const others = gateways.length > 1 ? `\n  Further gateways: ${gateways.slice(1).join(', ')}` : '';
  return `
The platform is ready after ${seconds} s.

  Address: ${base_url}${others}
  Token of the demo Owner (12 hours):
${owner.token}

Try it:

curl ${base_url}/api/v1/operations/record_store.create_collection \\
  -H 'Authorization: Bearer ${owner.token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"notes","member_writes_enabled":true}'

The README goes on from here. Tokens and ids for scripts are in ${demoFile}. Ctrl-C stops everything.
`;
}
