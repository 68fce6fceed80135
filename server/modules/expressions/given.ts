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

/** The values for an expression. Plain data, because it is sent to another thread. */
export interface Given {
  event?: ModuleEvent | undefined;
  device?: GivenDevice | undefined;
  state: Record<string, unknown>;
  /** By label of the data source. */
  data: Readonly<Record<string, unknown>>;
  /** By `figureKey`; figures without reported values are left out. */
  figures: Readonly<Record<string, number>>;
}

/** `missing`: a field or an item does not exist, which is not an error. */
export type Evaluated = { value: unknown } | { missing: string } | { error: string };

export interface Job {
  program: string;
  given: Given;
  /** The id of the project, because all projects share the thread. */
  of?: string;
  /** Only true and false matter: any other value is answered as null, because a batch of large ones fills the memory. */
  isCondition?: boolean;
}

/** The same text counts as a different expression in each project, because the data can make it slow in one only. */
export const expressionOf = ({ program, of = '' }: Job) => `${of}\n${program}`;

/** The time for an expression with all events of a batch; beyond that, it is not evaluated for the rest of them. */
export const budgetMs = 250;
export const tooMuch = `It was stopped: for many events it took more than ${budgetMs} ms in all.`;

/** The same for all expressions of a project; those that used more than `heavyMs` are not evaluated for a while. */
export const projectBudgetMs = 500;
export const heavyMs = 50;
export const tooMuchInAll = `It was stopped: the rules of the project together took more than ${projectBudgetMs} ms.`;

/** `late`: not evaluated, because its project needs longer than the others of the batch can wait. */
export type Answered = Evaluated | { late: true };

/** A batch. `sliceMs`: the time after which the rest of a project is late. */
export interface Question {
  jobs: readonly Job[];
  sliceMs?: number;
}

/** The results of a batch in order, the expressions that used up their time, and the time of each project. */
export interface Answer {
  results: Answered[];
  usedMs: [project: string, ms: number][];
  /** The `expressionOf` of each. */
  spent: string[];
}
