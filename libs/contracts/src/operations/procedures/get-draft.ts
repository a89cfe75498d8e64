import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleProcedure, procedure, slug } from './shapes.ts';

export const getDraft = defineOperation({
  id: 'procedures.get_draft',
  service: 'procedures',
  title: 'Get a draft Procedure',
  description: 'Returns a draft Procedure with its document.',
  effect: 'read',
  input: z.strictObject({ slug }),
  example: { slug: exampleProcedure.slug },
  output: z.strictObject({ procedure }),
  exampleResult: { procedure: exampleProcedure },
  errors: ['procedure_not_found'],
});
