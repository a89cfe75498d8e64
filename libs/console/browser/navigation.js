/**
 * A page: its address below /console/ with a star for each name, its title, its icon in the navigation if it is there, its class, and
 * whether it is for Owners.
 * @typedef {readonly [address: string, title: string, icon: string, load: () => Promise<typeof import('./page.js').Page>, isForOwners?: boolean]} Entry
 */
/** The pages, by their groups in the navigation. @type {Readonly<Record<string, readonly Entry[]>>} */
export const groups = {
  '': [
    ['', 'Home', 'house', async () => (await import('./home.js')).HomePage],
    ['requests', 'Requests', 'list', async () => (await import('./requests.js')).RequestsPage],
    ['approvals', 'Approvals', 'shield-check', async () => (await import('./approvals.js')).ApprovalsPage],
    ['approvals/*', 'Approval', '', async () => (await import('./approval.js')).ApprovalPage],
  ],
  Data: [
    ['records', 'Records', 'database', async () => (await import('./records.js')).RecordsPage],
    ['records/*', 'Collection', '', async () => (await import('./records.js')).CollectionPage],
    ['records/*/*', 'Record', '', async () => (await import('./record.js')).RecordPage],
    ['files', 'Files', 'folder', async () => (await import('./files.js')).FilesPage],
    ['procedures', 'Procedures', 'file-text', async () => (await import('./procedures.js')).ProceduresPage],
    ['procedures/*', 'Procedure', '', async () => (await import('./procedures.js')).ProcedurePage],
    ['mail', 'Mail', 'mail', async () => (await import('./mail.js')).MailPage],
    ['connected', 'Mailbox', '', async () => (await import('./mailbox.js')).ConnectedPage],
  ],
  Access: [
    ['grants', 'Grants', 'key-round', async () => (await import('./grants.js')).GrantsPage],
    ['connect', 'Connect a program', '', async () => (await import('./connect.js')).ConnectPage],
    [
      'agent-policy',
      'Agent policy',
      '',
      async () => (await import('./agent-policy.js')).AgentPolicyPage,
      true,
    ],
    ['members', 'Members', 'users', async () => (await import('./members.js')).MembersPage, true],
    [
      'custom-operations',
      'Custom operations',
      'plug',
      async () => (await import('./custom.js')).CustomPage,
      true,
    ],
    ['connectors', 'Connectors', 'cable', async () => (await import('./connectors.js')).ConnectorsPage, true],
    ['connectors/*', 'Connector', '', async () => (await import('./connector.js')).ConnectorPage, true],
    ['webhooks', 'Webhooks', 'webhook', async () => (await import('./webhooks.js')).WebhooksPage, true],
    ['webhooks/*', 'Webhook', '', async () => (await import('./webhook.js')).WebhookPage, true],
  ],
  Developers: [
    ['playground', 'Playground', 'terminal', async () => (await import('./playground.js')).PlaygroundPage],
    ['audit', 'Audit', 'scroll-text', async () => (await import('./audit.js')).AuditPage, true],
  ],
};
