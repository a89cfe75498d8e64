import { stringify } from 'yaml';
import { bare, Expression, type Fields, isFields, type Tree, Value, When } from './tree.ts';

/** The Go template of the condition that a component is on. */
export function conditionOf(component: string): string {
  return component === 'deployment'
    ? `not ${valueAt(['components', 'external-secrets'])}`
    : valueAt(['components', component]);
}

/** The Go template of a value: names with other characters need `index`. */
function valueAt(path: readonly string[]): string {
  const odd = path.findIndex((name) => !/^\w+$/.test(name));
  if (odd === -1) return ['.Values', ...path].join('.');
  const names = path.slice(odd).map((name) => `"${name}"`);
  return `(index ${['.Values', ...path.slice(0, odd)].join('.')} ${names.join(' ')})`;
}

/** Writes an object as the template of a chart. */
export class Writer {
  readonly #defaults: Fields;

  /** @param defaults the values of values.yaml, whose types decide how a value is written */
  constructor(defaults: Fields) {
    this.#defaults = defaults;
  }

  /** The lines of the fields of an object. */
  fields(fields: Fields, indent = 0): string[] {
    return Object.entries(fields).flatMap(([name, tree]) => {
      const entry = (part: Tree) => this.#entry(`${' '.repeat(indent)}${scalar(name)}:`, part, indent);
      if (tree instanceof When) return wrapped(tree.component, entry(tree.part));
      const component = componentOfAll(tree);
      return component === undefined ? entry(tree) : wrapped(component, entry(withoutConditions(tree)));
    });
  }

  #entry(head: string, tree: Tree, indent: number): string[] {
    if (tree instanceof Value) return this.#value(head, tree, indent);
    if (tree instanceof Expression) return [`${head} {{ ${tree.template} }}`];
    if (Array.isArray(tree) && tree.length > 0) return [head, ...this.#list(tree, indent + 2)];
    if (isFields(tree) && Object.keys(tree).length > 0) return [head, ...this.fields(tree, indent + 2)];
    return text(head, tree, indent);
  }

  #list(list: readonly Tree[], indent: number): string[] {
    return list.flatMap((tree) => {
      const lines = this.#element(tree instanceof When ? tree.part : tree, indent);
      return tree instanceof When ? wrapped(tree.component, lines) : lines;
    });
  }

  #element(tree: Tree, indent: number): string[] {
    const dash = `${' '.repeat(indent)}-`;
    if (!isFields(tree) || Object.keys(tree).length === 0) return this.#entry(dash, tree, indent);
    // The first line of its fields stands behind the dash.
    const [first = '', ...rest] = this.fields(tree, indent + 2);
    if (first.trimStart().startsWith('{{')) return [dash, first, ...rest];
    return [`${dash} ${first.trimStart()}`, ...rest];
  }

  #value(head: string, { path, pipe, more }: Value, indent: number): string[] {
    const value = valueAt(path);
    // The files of a deployment are no defaults.
    if (path[0] === 'deployment') return [`${head} {{ ${value} | ${pipe} }}`];
    let fallback: Tree | undefined = this.#defaults;
    for (const name of path) fallback = (fallback as Fields | undefined)?.[name];
    if (fallback === undefined) throw new Error(`values.yaml has no ${path.join('.')}.`);
    if (typeof fallback !== 'object') return [`${head} {{ ${value} | ${pipe} }}`];
    return [
      head,
      `${' '.repeat(indent + 2)}{{- toYaml ${value} | nindent ${indent + 2} }}`,
      ...this.fields(more, indent + 2),
    ];
  }
}

const wrapped = (component: string, lines: readonly string[]) => [
  `{{- if ${conditionOf(component)} }}`,
  ...lines,
  '{{- end }}',
];

/** The component of every part of a tree, which without it would be empty. */
function componentOfAll(tree: Tree): string | undefined {
  const parts = Array.isArray(tree) ? tree : isFields(tree) ? Object.values(tree) : [];
  const [first] = parts;
  if (!(first instanceof When)) return undefined;
  const isSame = parts.every((part) => part instanceof When && part.component === first.component);
  return isSame ? first.component : undefined;
}

function withoutConditions(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map((part) => bare(part)!);
  return Object.fromEntries(Object.entries(tree as Fields).map(([name, part]) => [name, bare(part)!]));
}

/** A text of several lines is a block. Two braces in a text begin no template. */
function text(head: string, value: Tree, indent: number): string[] {
  const escaped = (line: string) => line.replaceAll('{{', '{{ "{{" }}');
  if (typeof value !== 'string' || !value.trimEnd().includes('\n') || /^\s/.test(value))
    return [escaped(`${head} ${scalar(value)}`)];
  const lines = value.replace(/\n$/, '').split('\n');
  const keeps = value.endsWith('\n') ? '|' : '|-';
  return [`${head} ${keeps}`, ...lines.map((line) => escaped(line && `${' '.repeat(indent + 2)}${line}`))];
}

const scalar = (value: Tree): string =>
  stringify(value, { lineWidth: 0, version: '1.1', blockQuote: false }).trimEnd();
