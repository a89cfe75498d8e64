/** The entries of the navigation in their groups: address, title, icon, and whether an entry is for Owners. @type {readonly (readonly [group: string, entries: readonly (readonly [address: string, title: string, icon: string, isForOwners?: boolean])[]])[]} */
export const groups = [
  [
    '',
    [
      ['', 'Home', 'house'],
      ['requests', 'Requests', 'list'],
      ['approvals', 'Approvals', 'shield-check'],
    ],
  ],
  [
    'Data',
    [
      ['records', 'Records', 'database'],
      ['files', 'Files', 'folder'],
      ['procedures', 'Procedures', 'file-text'],
      ['mail', 'Mail', 'mail'],
    ],
  ],
  [
    'Access',
    [
      ['grants', 'Grants', 'key-round'],
      ['members', 'Members', 'users', true],
      ['custom-operations', 'Custom operations', 'plug', true],
      ['webhooks', 'Webhooks', 'webhook', true],
    ],
  ],
  [
    'Developers',
    [
      ['playground', 'Playground', 'terminal'],
      ['audit', 'Audit', 'scroll-text', true],
    ],
  ],
];
