const CODE = /^\w{1,64}$/;

/**
 * The `error.type` of a thrown error: its code (`ENOTDIR`, one of the catalogue) or else its name. Never its message, which may quote private
 * data.
 */
export function thrownType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && CODE.test(code) ? code : error.name;
}
