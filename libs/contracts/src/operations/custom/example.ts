/** The definition of a custom operation in examples. */
export const exampleDefinition = {
  title: 'Refund an order',
  description: 'Refunds an order in full, once. Use it when a customer has returned everything.',
  effect: 'write',
  availability: 'workspace_member',
  destructive: true,
  inputSchema: {
    type: 'object',
    properties: { order_id: { type: 'string', description: 'The number of the order.' } },
    required: ['order_id'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { refund_id: { type: 'string' } } },
  url: 'https://orders.example.com/agent/refund',
  timeoutMs: 5000,
  refusals: [
    {
      code: 'custom_order_not_found',
      message: 'No order has this number.',
      next: 'Ask the customer for the number.',
      recoverable: true,
    },
  ],
} as const;
