import { z } from 'zod';
import { docsUrl, errorCatalogue } from '../errors/catalogue.ts';
import { errorTemplate } from '../errors/error-body.ts';
import { errorsOf } from './errors-of.ts';
import { availability, deprecation, type Operation } from './operation.ts';

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema (2020-12).' });

/** An item of the discovery list. */
export const operationDescriptor = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema,
  availability,
  errors: z.array(errorTemplate).meta({ description: 'The errors that a call can be answered with.' }),
  deprecation: deprecation.optional(),
});
export type OperationDescriptor = z.output<typeof operationDescriptor>;

/** What discovery says of an operation. */
export function describeOperation(operation: Operation): OperationDescriptor {
  const { id, title, description } = operation;
  return {
    id,
    title,
    description,
    inputSchema: publishedSchema(operation.input, 'input'),
    outputSchema: publishedSchema(operation.output, 'output'),
    availability: operation.availability,
    errors: errorsOf(operation).map((code) => {
      const { message, recoverable, next } = errorCatalogue[code];
      return { code, message, recoverable, next, docs_url: docsUrl(code) };
    }),
    ...(operation.deprecation === undefined ? {} : { deprecation: operation.deprecation }),
  };
}

/** The JSON Schema (2020-12) that callers see of a contract's schema. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}
