import { z } from 'zod';
import { docsUrl, errorCatalogue } from '../errors/catalogue.ts';
import { errorsOf } from './errors-of.ts';
import type { Deprecation, Operation } from './operation.ts';

/** An error that an operation can answer with, as discovery lists it. */
export interface ErrorTemplate {
  code: string;
  message: string;
  recoverable: boolean;
  next: string;
  docs_url: string;
}

/** An item of the discovery list. */
export interface OperationDescriptor {
  id: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema: object;
  availability: string;
  errors: ErrorTemplate[];
  deprecation?: Deprecation;
}

/** What discovery says of an operation. */
export function describeOperation(operation: Operation): OperationDescriptor {
  const { id, title, description, availability, deprecation } = operation;
  return {
    id,
    title,
    description,
    inputSchema: publishedSchema(operation.input, 'input'),
    outputSchema: publishedSchema(operation.output, 'output'),
    availability,
    errors: errorsOf(operation).map((code) => {
      const { message, recoverable, next } = errorCatalogue[code];
      return { code, message, recoverable, next, docs_url: docsUrl(code) };
    }),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

/** The JSON Schema (2020-12) that callers see of a contract's schema. */
export function publishedSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
}
