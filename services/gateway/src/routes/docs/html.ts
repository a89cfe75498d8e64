/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into HTML: text is escaped, and of a list each item is put in. */
type Content = string | number | Html | readonly Content[];

/** HTML from a template literal; nothing that is put in can break out of its place, in or between tags. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((string, index) => string + render(contents[index] ?? '')).join(''));
}

function render(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(render).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
