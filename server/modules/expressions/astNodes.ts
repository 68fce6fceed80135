import type { ASTNode } from '@marcbachmann/cel-js';

/** The direct child nodes, in the order of the text. */
export function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind']);

/** Whether the node is a macro that iterates over a list. */
export const isMacro = (node: ASTNode) => node.op === 'rcall' && macros.has(node.args[0]);

export const textOf = (node: ASTNode) => node.input.slice(node.start, node.end);
