/** What the gateway tells the page: the sign-in, and where the icons are. @type {{ issuer: string, clientId: string, metadataUrl: string, freshSeconds: number, scopes: Record<string, string>, userClaim: string, icons: string }} */
export const settings = JSON.parse(
  globalThis.document?.querySelector('meta[name=console]')?.getAttribute('content') ??
    '{"metadataUrl":"","scopes":{}}',
);
