/** Characters that people do not see, or that change the order of others: an agent would read what its user does not. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** What is wrong with a text that has a control, bidirectional or invisible character; undefined for any other. */
export function hiddenCharacter(text: string): string | undefined {
  const found = HIDDEN.exec(text)?.[0].codePointAt(0);
  if (found === undefined) return undefined;
  const name = found.toString(16).toUpperCase().padStart(4, '0');
  return `has the character U+${name}: control, bidirectional and invisible characters are refused`;
}
