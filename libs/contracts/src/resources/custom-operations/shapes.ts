import { z } from 'zod';
import { CUSTOM_ID } from '../../custom-operations/custom-id.ts';
import { customOperation, definitionFields } from '../../custom-operations/definition.ts';

const named = { description: 'The id of a custom operation.', examples: ['custom.refund_order'] };

export const namedCustomOperation = z.strictObject({ id: z.string().meta(named) });

/** The input of PUT /api/v1/custom-operations/{id}. */
export const customOperationChange = z.strictObject({
  id: z
    .string()
    .regex(CUSTOM_ID, 'must be custom. and a name such as refund_order, of at most 40 characters')
    .meta(named),
  ...definitionFields,
  expectedRevision: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: 'Refuses the call unless this is the present revision; 0: unless the id is new.',
      examples: [0],
    }),
});
export type CustomOperationChange = z.output<typeof customOperationChange>;

export const oneCustomOperation = z.strictObject({ operation: customOperation });
export const customOperationList = z.strictObject({
  operations: z.array(customOperation.omit({ inputSchema: true, outputSchema: true })),
});
