/** A fault of a value, and its place in it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Characters that people do not see, or that change the order of others: an agent would read what its user does not. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The first control, bidirectional or invisible character in a JSON value, its texts and its names. */
export function hiddenCharacter(value: unknown, path: Problem['path'] = []): Problem | undefined {
  if (typeof value === 'string') {
    const found = HIDDEN.exec(value)?.[0].codePointAt(0);
    const name = found?.toString(16).toUpperCase().padStart(4, '0');
    const message = `has U+${name}: control, bidirectional and invisible characters are refused`;
    return name === undefined ? undefined : { path, message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const problem = hiddenCharacter(name, path) ?? hiddenCharacter(each, [...path, name]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
