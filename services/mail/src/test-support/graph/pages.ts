/** A page of Microsoft's documentation. */
export interface Page {
  readonly title: string;
  readonly address: string;
}

const page = (title: string, path: string): Page => ({
  title,
  address: `https://learn.microsoft.com/${path}`,
});

/** The pages of Microsoft's documentation that the stand-in follows. */
export const pages = {
  clientCredentials: page(
    'Microsoft identity platform and the OAuth 2.0 client credentials flow',
    'entra/identity-platform/v2-oauth2-client-creds-grant-flow',
  ),
  authorizationCode: page(
    'Microsoft identity platform and OAuth 2.0 authorization code flow',
    'entra/identity-platform/v2-oauth2-auth-code-flow',
  ),
  idTokenClaims: page('ID token claims reference', 'entra/identity-platform/id-token-claims-reference'),
  refreshTokens: page(
    'Refresh tokens in the Microsoft identity platform',
    'entra/identity-platform/refresh-tokens',
  ),
  signInErrors: page(
    'Microsoft Entra authentication and authorization error codes',
    'entra/identity-platform/reference-error-codes',
  ),
  createMessage: page('Create message', 'graph/api/user-post-messages'),
  listMessages: page('List messages', 'graph/api/user-list-messages'),
  filterByProperty: page(
    'Get singleValueLegacyExtendedProperty',
    'graph/api/singlevaluelegacyextendedproperty-get',
  ),
  getFolder: page('Get mailFolder', 'graph/api/mailfolder-get'),
  deleteMessage: page('Delete message', 'graph/api/message-delete'),
  permanentDelete: page('message: permanentDelete', 'graph/api/message-permanentdelete'),
  errors: page('Microsoft Graph error responses and resource types', 'graph/errors'),
  authorizationErrors: page('Resolve Microsoft Graph authorization errors', 'graph/resolve-auth-errors'),
  throttling: page('Microsoft Graph throttling guidance', 'graph/throttling'),
  limits: page('Microsoft Graph service-specific throttling limits', 'graph/throttling-limits'),
  immutableIds: page('Obtain immutable identifiers for Outlook resources', 'graph/outlook-immutable-id'),
  requestIds: page('Best practices for working with Microsoft Graph', 'graph/best-practices-concept'),
} as const;
