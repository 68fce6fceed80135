import { Liquid } from 'liquidjs';
import { escapeHtml } from '#server/api/pages/html.ts';
import { bodyMax } from './check/checkTemplate.ts';
import { filters } from './liquidFilters.ts';
import type { VariableName } from './variables.ts';

/**
 * What a template may cost. The check rejects templates long before they reach these limits, which are a second defense
 * in case it misses something. Both count work: on a busy machine, a limit in milliseconds would fail valid e-mails.
 */
export const limits = { parsedChars: bodyMax, renderedChars: 1_000_000 };
/** The maximum length of a variable. Links are the longest. */
export const valueMax = 500;

type Values = Readonly<Partial<Record<VariableName, string>>>;

/** Fills in a template as plain text, for the subject. */
export function renderPlain(template: string, values: Values): string {
  return render(plain, template, values);
}

/** Fills in a template as HTML: every value is escaped. */
export function renderHtml(template: string, values: Values): string {
  return render(html, template, values);
}

function render(engine: Liquid, template: string, values: Values): string {
  const scope = emptyScope();
  for (const [path, value = ''] of Object.entries(values)) {
    if (value.length > valueMax) throw new Error(`${path} is too long for an e-mail.`);
    const holders = path.split('.');
    const name = holders.pop() ?? '';
    const holder = holders.reduce((outer, one) => {
      outer[one] ??= emptyScope();
      return outer[one] as Scope;
    }, scope);
    holder[name] = value;
  }
  return String(engine.renderSync(engine.parse(template), scope));
}

interface Scope {
  [name: string]: string | Scope;
}
const emptyScope = (): Scope => Object.create(null) as Scope;

const allowedTags = new Set(['if', 'unless']);
const plain = createEngine(value => value);
const html = createEngine(escapeHtml);

/**
 * Liquid reduced to what an e-mail needs: values, our own filters, and conditions. Tags that repeat (`for`,
 * `tablerow`), store values (`assign`, `capture`, `increment`) or read files (`include`, `render`, `layout`) are
 * removed, so the cost of a template grows only with its length, and rendering needs no thread with a timeout.
 */
function createEngine(escaped: (text: string) => string): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // An empty text is falsy, so that `{% if inviter.name %}` means what it seems to.
    jsTruthy: true,
    dynamicPartials: false,
    templates: {},
    parseLimit: limits.parsedChars,
    memoryLimit: limits.renderedChars,
    outputEscape(this: { context: Memory }, value: unknown) {
      const text = escaped(String(value));
      this.context.memoryLimit.use(text.length);
      return text;
    },
  });
  for (const tag of Object.keys(engine.tags)) if (!allowedTags.has(tag)) delete engine.tags[tag];
  for (const filter of Object.keys(engine.filters)) engine.unregisterFilter(filter);
  for (const [name, filter] of Object.entries(filters)) {
    engine.registerFilter(name, (value: unknown, ...given: unknown[]) =>
      filter.apply(String(value), ...given.map(one => (typeof one === 'number' ? one : String(one)))),
    );
  }
  return engine;
}

interface Memory {
  memoryLimit: { use: (chars: number) => void };
}
