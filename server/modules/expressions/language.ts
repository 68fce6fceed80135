import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { linearPattern } from '#server/classes/deviceClasses/schemas/schemaPatterns.ts';

/** The maximum size of an expression, in characters and in nodes of its syntax tree. */
export const expressionMax = 2000;
export const nodesMax = 300;
const limits = { maxAstNodes: nodesMax, maxDepth: 60, maxListElements: 100, maxMapEntries: 50 };

export const figures = ['mean', 'min', 'max'] as const;
export type Figure = (typeof figures)[number];

/** A figure from past values that an expression uses, as in `mean(state.temperature, 10)`. */
export interface FigureAsked {
  figure: Figure;
  /** The name in the history, such as `power.watts`. */
  property: string;
  minutes: number;
}

export const figureKey = ({ figure, property, minutes }: FigureAsked) => `${figure} ${property} ${minutes}`;

/** The error of our own functions if a field or a past value is missing. */
export class NotThere extends Error {}

type Numbers = (a: number, b: number) => number | boolean;
const arithmetic: Record<string, Numbers> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/**
 * The language of conditions and templates: CEL. Numbers in JSON are doubles, so integers in an expression can be mixed
 * with doubles, which plain CEL rejects. `figureOf` provides past values to the expression being evaluated.
 */
export function createLanguage(figureOf: (key: string) => number | undefined): Environment {
  const language = new Environment({ homogeneousAggregateLiterals: false, limits });
  for (const [sign, work] of Object.entries(arithmetic)) {
    const mixed = (a: number | bigint, b: number | bigint) => work(Number(a), Number(b));
    language.registerOperator(`double ${sign} int`, mixed);
    language.registerOperator(`int ${sign} double`, mixed);
  }
  language.registerOperator('double % double', arithmetic['%'] as Numbers);
  language.registerOperator('double == int', (a: number, b: bigint) => a === Number(b));
  // Each pair of types by itself: the library refuses to choose between several that fit.
  for (const item of ['int', 'double'])
    for (const list of ['list<int>', 'list<double>', 'list<string>', 'list<bool>', 'list'])
      for (const sought of [item, `dyn<${item}>`]) language.registerOperator(`${sought} in ${list}`, isIn);
  language.registerFunction('fits(string, string): bool', fits);
  for (const figure of figures)
    language.registerFunction(`${figure}(ast, ast): double`, figureMacro(figure, figureOf));
  return language;
}

function isIn(sought: number | bigint, list: Iterable<unknown>): boolean {
  for (const item of list)
    if ((typeof item === 'number' || typeof item === 'bigint') && Number(item) === Number(sought))
      return true;
  return false;
}

const patternsMax = 200;
const patterns = new Map<string, ReturnType<typeof linearPattern>>();

/** A pattern that is known need not be compiled again. */
export const isKnownPattern = (pattern: string) => patterns.has(pattern);

/** Whether a text matches a regular expression, in linear time. */
function fits(text: string, pattern: string): boolean {
  const known = patterns.get(pattern) ?? linearPattern(pattern);
  patterns.delete(pattern);
  patterns.set(pattern, known);
  if (patterns.size > patternsMax) patterns.delete(patterns.keys().next().value ?? '');
  return known.test(text);
}

interface Macro {
  ast: ASTNode;
  args: ASTNode[];
}

/** A macro instead of a function, because it needs the property's name from the expression, not its value. */
function figureMacro(figure: Figure, figureOf: (key: string) => number | undefined) {
  return ({ ast, args }: Macro) => {
    const asked = figureOfCall(figure, args);
    const key = asked && figureKey(asked);
    return {
      typeCheck(
        checker: { check: (ast: unknown, ctx: unknown) => unknown; getType: (name: string) => unknown },
        _: unknown,
        ctx: unknown,
      ) {
        checker.check(args[0], ctx);
        return checker.getType('double');
      },
      evaluate() {
        const value = key === undefined ? undefined : figureOf(key);
        if (value === undefined)
          throw new NotThere(`${ast.input.slice(ast.start, ast.end)} has no value: nothing was reported.`);
        return value;
      },
    };
  };
}

/** Undefined if the call does not have the form `mean(state.temperature, 10)`. */
export function figureOfCall(figure: Figure, args: readonly ASTNode[]): FigureAsked | undefined {
  const [property, minutes] = args;
  if (args.length !== 2 || minutes?.op !== 'value' || typeof minutes.args !== 'bigint') return undefined;
  const path = property && pathOf(property);
  if (!path || path.length < 2 || path[0] !== 'state') return undefined;
  return { figure, property: path.slice(1).join('.'), minutes: Number(minutes.args) };
}

/** The names of a path such as `state.power["watts"]`; undefined if it contains anything but names. */
export function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [node.args];
  if (node.op === '.') return joined(pathOf(node.args[0]), node.args[1]);
  if (node.op !== '[]') return undefined;
  const [holder, key] = node.args;
  return key.op === 'value' && typeof key.args === 'string' ? joined(pathOf(holder), key.args) : undefined;
}

const joined = (path: string[] | undefined, name: string) => path && [...path, name];
