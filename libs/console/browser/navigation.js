/** A page: its address below /console/ with a star for each name, its title, its icon in the navigation, if any, its class, and whether the page is for Owners. @typedef {readonly [address: string, title: string, icon: string, load: () => Promise<{ default: typeof import('./page.js').Page }>, isForOwners?: boolean]} Entry */
/** The pages, by their groups in the navigation. @type {Readonly<Record<string, readonly Entry[]>>} */
export const groups = {
  '': [
    ['', 'Home', 'house', () => import('./home.js')],
    ['requests', 'Requests', 'list', () => import('./requests.js')],
    ['approvals', 'Approvals', 'shield-check', () => import('./approvals.js')],
    ['approvals/*', 'Approval', '', () => import('./approval.js')],
  ],
  Data: [
    ['records', 'Records', 'database', () => import('./records.js')],
    ['records/*', 'Collection', '', async () => ({ default: (await import('./records.js')).CollectionPage })],
    ['records/*/*', 'Record', '', () => import('./record.js')],
    ['files', 'Files', 'folder', () => import('./files.js')],
    ['procedures', 'Procedures', 'file-text', () => import('./procedures.js')],
    [
      'procedures/*',
      'Procedure',
      '',
      async () => ({ default: (await import('./procedures.js')).ProcedurePage }),
    ],
    ['mail', 'Mail', 'mail', () => import('./mail.js')],
    ['connected', 'Mailbox', '', () => import('./mailbox.js')],
  ],
  Access: [
    ['grants', 'Grants', 'key-round', () => import('./grants.js')],
    ['connect', 'Connect a program', '', () => import('./connect.js')],
    ['agent-policy', 'Agent policy', '', () => import('./agent-policy.js'), true],
    ['members', 'Members', 'users', () => import('./members.js'), true],
    ['custom-operations', 'Custom operations', 'plug', () => import('./custom.js'), true],
    ['connectors', 'Connectors', 'cable', () => import('./connectors.js'), true],
    ['connectors/*', 'Connector', '', () => import('./connector.js'), true],
    ['webhooks', 'Webhooks', 'webhook', () => import('./webhooks.js'), true],
    ['webhooks/*', 'Webhook', '', () => import('./webhook.js'), true],
  ],
  Developers: [
    ['playground', 'Playground', 'terminal', () => import('./playground.js')],
    ['audit', 'Audit', 'scroll-text', () => import('./audit.js'), true],
  ],
};
