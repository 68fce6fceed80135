import type { ModuleEvent } from '#contract/moduleRun.ts';

/** The device as expressions see it. */
export interface GivenDevice {
  id: string;
  tag: string;
  name: string;
  class: string;
  connected: boolean;
  /** Milliseconds; 0 while it is not connected. */
  connectedFor: number;
  home: string;
}

/** What an expression is evaluated with. Plain data: it goes to another thread. */
export interface Given {
  event?: ModuleEvent | undefined;
  device?: GivenDevice | undefined;
  state: Record<string, unknown>;
  /** By label of the data source. */
  data: Readonly<Record<string, unknown>>;
  /** By `figureKey`; what was not reported is left out. */
  figures: Readonly<Record<string, number>>;
}

/** `missing`: a field or an item that is not there, which is no failure. */
export type Evaluated = { value: unknown } | { missing: string } | { error: string };

export interface Job {
  program: string;
  given: Given;
  /** Whose it is: the id of the project. All of them share the thread. */
  of?: string;
}

/** The same text of two projects is two expressions: the data of one can make it slow. */
export const expressionOf = ({ program, of = '' }: Job) => `${of}\n${program}`;

/** Of an expression, for the events of a batch; then it is not evaluated for the rest of them. */
export const budgetMs = 250;
export const tooMuch = `It was stopped: for many events it took more than ${budgetMs} ms in all.`;

/** The same of all expressions of a project; those that used more than `heavyMs` of it are not evaluated for a while. */
export const projectBudgetMs = 500;
export const heavyMs = 50;
export const tooMuchInAll = `It was stopped: the rules of the project together took more than ${projectBudgetMs} ms.`;

/** What became of a batch, in its order, and which expressions have used up their time. */
export interface Answer {
  results: Evaluated[];
  /** Of these, `expressionOf`. */
  spent: string[];
}
