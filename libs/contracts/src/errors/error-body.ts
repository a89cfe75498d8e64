import { z } from 'zod';

/** An error as discovery lists it. */
export const errorTemplate = z.strictObject({
  code: z.string().meta({ description: 'Stable identifier, from the error catalogue.' }),
  message: z.string().meta({ description: 'A description of the failure, for people.' }),
  recoverable: z
    .boolean()
    .meta({ description: 'True when the same caller can succeed by doing what next says.' }),
  next: z.string().meta({ description: 'The step the caller should take.' }),
  docs_url: z
    .string()
    .meta({ format: 'uri-reference', description: 'The page that explains the code to people.' }),
});

/** An error in a response. */
export const errorBody = z.strictObject({
  ...errorTemplate.shape,
  requestId: z.string().meta({ description: 'Equal to the header x-request-id of the response.' }),
});

/** The body of every error response. */
export const errorEnvelope = z.strictObject({ error: errorBody });
