import { parseArgs } from 'node:util';
import type { Client } from '#contract/client.ts';

/** The exit codes, so that scripts can tell failures apart; listed in docs/ci.md. */
export const exits = {
  done: 0,
  /** The platform refused the call, with a reason. */
  refused: 1,
  usage: 2,
  /** Not signed in, or the access token does not allow the call. */
  access: 3,
  /** Nothing with that name exists. */
  notFound: 4,
  /** No answer, or none in time: worth a retry. */
  unavailable: 5,
  /** The action was not confirmed. */
  unconfirmed: 6,
  /** What the command waited for did not succeed. */
  unfinished: 7,
} as const;

/** Why a command failed. */
export class Failed extends Error {
  readonly exit: number;
  /** The reason code, if the platform gave one. */
  readonly reason: string;

  constructor(exit: number, reason: string, message: string) {
    super(message);
    this.exit = exit;
    this.reason = reason;
  }
}

/** The arguments are not valid; printed with the usage. */
export class UsageFault extends Failed {
  constructor(message: string) {
    super(exits.usage, 'USAGE', message);
  }
}

export interface Option {
  name: string;
  /** The name of its value: `FILE`. Absent: the option takes no value. */
  takes?: string;
  says: string;
  needed?: true;
}

/** The parsed arguments of a call. */
export interface Words {
  plain: readonly string[];
  /** Undefined: not given. */
  value(name: string): string | undefined;
  /** The value of a required option. */
  must(name: string): string;
  has(name: string): boolean;
}

export interface Terminal {
  /** Prints a line for people; prints nothing in JSON mode. */
  say(line: string): void;
  /** Prints the answer as JSON, or as lines for people. */
  answer(value: unknown, lines: readonly string[]): void;
  /** Prints progress; replaces the previous line on a terminal. */
  progress(line: string): void;
  /** True: a person can be asked. */
  isWatched: boolean;
  ask(question: string, options?: { hidden?: true }): Promise<string>;
}

export interface Call {
  words: Words;
  terminal: Terminal;
  client: Client;
  /** The URL of the platform, without a trailing slash. */
  url: string;
  /** A plain request with the access token, without the typed client. */
  fetch: typeof fetch;
}

/** A command of the developer's command line. */
export interface Command {
  /** The words that the command begins with. */
  name: string;
  /** The positional arguments: `FILE`, `COMPONENT=VERSION…`. */
  plain?: string;
  /** The minimum and maximum number of positional arguments. */
  count?: readonly [number, number];
  says: string;
  options?: readonly Option[];
  run?: (call: Call) => Promise<void>;
  /** Used instead of `run` by commands that work without signing in. */
  alone?: (words: Words, terminal: Terminal) => Promise<void>;
}

export const projectOption: Option = {
  name: 'project',
  takes: 'PROJECT',
  says: 'name or id of the project; default: MOORING_PROJECT',
};

/** The options of every command. */
export const commonOptions: readonly Option[] = [
  { name: 'json', says: 'print the result and errors as JSON' },
  { name: 'help', says: 'show this' },
];

export function readWords({ options = [], count: [least, most] = [0, 0] }: Command, words: string[]): Words {
  const all = [...options, ...commonOptions];
  const { values, positionals } = parse(words, all);
  const value = (name: string) => {
    const given = values[name];
    return typeof given === 'string' ? given : undefined;
  };
  const isHelp = values.help === true;
  if (!isHelp && positionals.length < least) throw new UsageFault('Some arguments are missing.');
  if (!isHelp && positionals.length > most) throw new UsageFault('Too many arguments.');
  const missing = all.find(option => option.needed && !value(option.name));
  if (!isHelp && missing) throw new UsageFault(`--${missing.name} is missing.`);
  return {
    plain: positionals,
    value,
    must: name => value(name) ?? '',
    has: name => values[name] === true,
  };
}

function parse(args: string[], all: readonly Option[]) {
  const options = Object.fromEntries(
    all.map(({ name, takes }) => [name, { type: takes ? ('string' as const) : ('boolean' as const) }]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageFault(error instanceof Error ? error.message : String(error));
  }
}

/** The integer value of an option; undefined if it is not given. */
export function numberOf(words: Words, name: string): number | undefined {
  const text = words.value(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageFault(`--${name} must be a whole number, not ${text}.`);
  return Number(text);
}
