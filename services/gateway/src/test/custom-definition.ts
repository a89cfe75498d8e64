import type { CustomOperation } from '@action-platform/contracts/operations';

/** A custom operation as grants returns it. */
export const definition: CustomOperation = {
  id: 'custom.refund_order',
  definitionId: 'cop_1',
  status: 'active',
  revision: 1,
  title: 'Refund an order',
  description: 'Refunds an order in full.',
  effect: 'write',
  availability: 'workspace_member',
  destructive: true,
  url: 'https://orders.example.com/refund',
  timeoutMs: 5000,
  refusals: [{ code: 'custom_no_order', message: 'No order.', next: 'Ask.', recoverable: true }],
  inputSchema: {
    type: 'object',
    properties: { order_id: { type: 'string', default: 'last' } },
    required: ['order_id'],
    additionalProperties: false,
  },
  createdAt: '2026-05-01T09:30:00.000Z',
  createdBy: 'olga',
  updatedAt: '2026-05-01T09:30:00.000Z',
  updatedBy: 'olga',
};
