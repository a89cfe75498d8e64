/** Text in HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value for a template: text is escaped, HTML is not, and each item of a list is inserted. */
type Content = string | number | Html | readonly Content[];

/** HTML from a template literal; no inserted text can end its element or attribute. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((string, index) => string + render(contents[index] ?? '')).join(''));
}

function render(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(render).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
