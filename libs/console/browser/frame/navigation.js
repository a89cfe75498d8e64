/** A page: its address below /console/ with a star for each name, its title, its icon in the navigation, if any, its class, and whether the page is for Owners. @typedef {readonly [address: string, title: string, icon: string, load: () => Promise<{ default: typeof import('../elements/page.js').Page }>, isForOwners?: boolean]} Entry */
/** The pages, by their groups in the navigation. @type {Readonly<Record<string, readonly Entry[]>>} */
export const groups = {
  '': [
    ['', 'Home', 'house', () => import('../pages/home/home.js')],
    ['requests', 'Requests', 'list', () => import('../pages/calls/requests.js')],
    ['approvals', 'Approvals', 'shield-check', () => import('../pages/approvals/approvals.js')],
    ['approvals/*', 'Approval', '', () => import('../pages/approvals/approval.js')],
  ],
  Data: [
    ['records', 'Records', 'database', () => import('../pages/records/records.js')],
    [
      'records/*',
      'Collection',
      '',
      async () => ({ default: (await import('../pages/records/records.js')).CollectionPage }),
    ],
    ['records/*/*', 'Record', '', () => import('../pages/records/record.js')],
    ['files', 'Files', 'folder', () => import('../pages/files.js')],
    ['procedures', 'Procedures', 'file-text', () => import('../pages/procedures.js')],
    [
      'procedures/*',
      'Procedure',
      '',
      async () => ({ default: (await import('../pages/procedures.js')).ProcedurePage }),
    ],
    ['mail', 'Mail', 'mail', () => import('../pages/mail/mail.js')],
    ['connected', 'Mailbox', '', () => import('../pages/mail/mailbox.js')],
  ],
  Access: [
    ['grants', 'Grants', 'key-round', () => import('../pages/grants/grants.js')],
    ['connect', 'Connect a program', '', () => import('../pages/grants/connect.js')],
    ['agent-policy', 'Agent policy', '', () => import('../pages/grants/agent-policy.js'), true],
    ['members', 'Members', 'users', () => import('../pages/members.js'), true],
    [
      'custom-operations',
      'Custom operations',
      'plug',
      () => import('../pages/custom-operations/custom.js'),
      true,
    ],
    ['connectors', 'Connectors', 'cable', () => import('../pages/custom-operations/connectors.js'), true],
    ['connectors/*', 'Connector', '', () => import('../pages/custom-operations/connector.js'), true],
    ['webhooks', 'Webhooks', 'webhook', () => import('../pages/webhooks/webhooks.js'), true],
    ['webhooks/*', 'Webhook', '', () => import('../pages/webhooks/webhook.js'), true],
  ],
  Developers: [
    ['playground', 'Playground', 'terminal', () => import('../pages/playground.js')],
    ['audit', 'Audit', 'scroll-text', () => import('../pages/calls/audit.js'), true],
  ],
};
