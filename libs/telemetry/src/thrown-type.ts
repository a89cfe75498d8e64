const CODE = /^\w{1,64}$/;

/**
 * What to call an error that was thrown, in `error.type`: its code if it has one (`ENOTDIR`, one of the catalogue), else its
 * name. Never its text, which may quote what nobody is to see.
 */
export function thrownType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && CODE.test(code) ? code : error.name;
}
