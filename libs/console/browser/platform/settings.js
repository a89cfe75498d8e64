/** The settings that the gateway gives the page: the sign-in, and the address of the icons. @type {{ issuer: string, clientId: string, metadataUrl: string, freshSeconds: number, scopes: Record<string, string>, userClaim: string, icons: string }} */
export const settings = JSON.parse(
  globalThis.document?.querySelector('meta[name=console]')?.getAttribute('content') ??
    '{"metadataUrl":"","scopes":{}}',
);
