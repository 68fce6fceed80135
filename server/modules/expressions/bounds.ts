import type { ASTNode } from '@marcbachmann/cel-js';
import { dayMinutes } from '#rules/time/durations.ts';
import { linearPattern } from '#server/classes/deviceClasses/schemas/schemaPatterns.ts';
import { childrenOf, isMacro } from './astNodes.ts';
import { type Figure, type FigureAsked, figureOfCall, figures, pathOf } from './language.ts';

const macrosMax = 3;
const figuresMax = 4;
const minutesMax = dayMinutes;
const literalMax = 1000;

/** An error in an expression, and the range of characters it concerns. */
export interface ExpressionFault {
  message: string;
  from: number;
  to: number;
}

export interface Used {
  nodes: number;
  /** The first name of each path, `state` or `event`; also `event.payload` if the expression reads it. */
  names: Set<string>;
  figures: FigureAsked[];
}

const hostileWords = new Set(['constructor', '__proto__', 'prototype']);

/**
 * Restricts expressions beyond their syntax: no part can take long, and no name can reach into the underlying
 * language.
 */
export function boundedUse(root: ASTNode): { used: Used; faults: ExpressionFault[] } {
  const used: Used = { nodes: 0, names: new Set(), figures: [] };
  const faults: ExpressionFault[] = [];
  let macros = 0;
  const refuse = (message: string, { start: from, end: to }: ASTNode) => faults.push({ message, from, to });
  const visit = (node: ASTNode, isInMacro: boolean) => {
    used.nodes++;
    if (node.op === 'id') used.names.add(node.args);
    if (pathOf(node)?.join('.') === 'event.payload') used.names.add('event.payload');
    for (const word of wordsOf(node))
      if (hostileWords.has(word)) refuse(`\`${word}\` cannot be used here.`, node);
    if (node.op === 'value' && typeof node.args === 'string' && node.args.length > literalMax)
      refuse(`A text can have at most ${literalMax} characters.`, node);
    if (isMacro(node)) {
      if (isInMacro) refuse('Loops over lists cannot be nested.', node);
      else if (++macros > macrosMax)
        refuse(`An expression can loop over lists at most ${macrosMax} times.`, node);
    }
    visitCall(node, used, refuse);
    // The list of a macro is outside of it; only the expressions evaluated for each item are inside.
    const [first, ...rest] = childrenOf(node);
    if (first) visit(first, isInMacro);
    for (const child of rest) visit(child, isInMacro || isMacro(node));
  };
  visit(root, false);
  return { used, faults };
}

function visitCall(node: ASTNode, used: Used, refuse: (message: string, at: ASTNode) => void): void {
  if (node.op === 'rcall' && node.args[0] === 'matches')
    refuse('`matches` is not available. Use `fits(text, pattern)`, which always takes linear time.', node);
  if (node.op !== 'call') return;
  const [name, args] = node.args;
  const [, pattern] = args;
  if (name === 'fits' && pattern?.op === 'value' && typeof pattern.args === 'string') {
    try {
      linearPattern(pattern.args);
    } catch (error) {
      refuse(error instanceof Error ? error.message : 'This pattern is not valid.', pattern);
    }
  }
  if (!isFigure(name)) return;
  const asked = figureOfCall(name, args);
  if (!asked) refuse(`Write a property and the minutes: \`${name}(state.temperature, 10)\`.`, node);
  else if (asked.minutes < 1 || asked.minutes > minutesMax)
    refuse(`The minutes can be 1 to ${minutesMax}.`, args[1] ?? node);
  else if (used.figures.push(asked) > figuresMax)
    refuse(`An expression can use at most ${figuresMax} past values.`, node);
}

const isFigure = (name: string): name is Figure => figures.some(one => one === name);

/** The names and texts that a node refers to. */
function wordsOf(node: ASTNode): string[] {
  if (node.op === 'id') return [node.args];
  if (node.op === '.' || node.op === '.?') return [node.args[1]];
  if (node.op === 'call' || node.op === 'rcall') return [node.args[0]];
  return node.op === 'value' && typeof node.args === 'string' ? [node.args] : [];
}
