import { parseArgs } from 'node:util';
import type { Client } from '#contract/client.ts';

/** How the process ends, so that a script can tell why; listed in docs/ci.md. */
export const exits = {
  done: 0,
  /** The platform refused it, with a reason. */
  refused: 1,
  usage: 2,
  /** Not signed in, or the access token does not allow it. */
  access: 3,
  /** Nothing has that name. */
  notFound: 4,
  /** No answer, or none in time: worth another try. */
  unavailable: 5,
  /** Nobody confirmed it. */
  unconfirmed: 6,
  /** What was waited for ended otherwise. */
  unfinished: 7,
} as const;

/** Why a command ended without having done its work. */
export class Failed extends Error {
  readonly exit: number;
  /** Where it is one of the platform's. */
  readonly reason: string;

  constructor(exit: number, reason: string, message: string) {
    super(message);
    this.exit = exit;
    this.reason = reason;
  }
}

/** The words do not make sense; printed with the usage. */
export class UsageFault extends Failed {
  constructor(message: string) {
    super(exits.usage, 'USAGE', message);
  }
}

export interface Option {
  name: string;
  /** What follows it: `FILE`; absent: nothing does. */
  takes?: string;
  says: string;
  needed?: true;
}

/** What the words of a call were, by the command's options. */
export interface Words {
  plain: readonly string[];
  /** Undefined: not given. */
  value(name: string): string | undefined;
  /** Of an option that is needed. */
  must(name: string): string;
  has(name: string): boolean;
}

export interface Terminal {
  /** For people; nothing in JSON. */
  say(line: string): void;
  /** The answer: as JSON, or as lines for people. */
  answer(value: unknown, lines: readonly string[]): void;
  /** Replaces the line before, where somebody watches. */
  progress(line: string): void;
  /** True: a person is there to be asked. */
  isWatched: boolean;
  ask(question: string, options?: { hidden?: true }): Promise<string>;
}

export interface Call {
  words: Words;
  terminal: Terminal;
  client: Client;
  /** The address of the platform, without a trailing slash. */
  url: string;
  /** A request beside the typed client, with the access token. */
  fetch: typeof fetch;
}

/** One thing a developer can say. */
export interface Command {
  /** The words it begins with. */
  name: string;
  /** The words after those: `FILE`, `COMPONENT=VERSION…`. */
  plain?: string;
  /** How many of them, at least and at most. */
  count?: readonly [number, number];
  says: string;
  options?: readonly Option[];
  run?: (call: Call) => Promise<void>;
  /** Instead of `run`, for what works without being signed in. */
  alone?: (words: Words, terminal: Terminal) => Promise<void>;
}

export const projectOption: Option = {
  ...{ name: 'project', takes: 'PROJECT', says: 'name or id of the project; default: MOORING_PROJECT' },
};

/** What every command takes. */
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

/** A whole number of an option; undefined where it is not given. */
export function numberOf(words: Words, name: string): number | undefined {
  const text = words.value(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageFault(`--${name} must be a whole number, not ${text}.`);
  return Number(text);
}
