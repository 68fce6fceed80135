import { parseArgs } from 'node:util';
import type { Config } from '#server/infra/config.ts';
import type { Platform } from '#server/infra/platform.ts';

/** A command of the operator's command line. It returns lines to print. */
export interface Command {
  /** The words that the command begins with. */
  name: string;
  usage: string;
  says: string;
  run: (platform: Platform, words: string[]) => Promise<string[]>;
  /** Used instead of `run` by commands that must work without the database. */
  alone?: (config: Config, words: string[]) => Promise<string[]>;
}

/** The arguments are not valid; printed with the usage. */
export class UsageFault extends Error {}

/**
 * Splits arguments into positional ones and `--name value` options. All options must be known, and given unless
 * optional.
 */
export function readWords<Name extends string, Optional extends string = never>(
  words: string[],
  plain: number,
  names: readonly Name[],
  optional: readonly Optional[] = [],
): { plain: string[]; options: Record<Name, string> & Partial<Record<Optional, string>> } {
  const options = Object.fromEntries(
    [...names, ...optional].map(name => [name, { type: 'string' as const }]),
  );
  const parsed = parse(words, options);
  if (parsed.positionals.length !== plain)
    throw new UsageFault('Arguments are missing, or there are too many.');
  for (const name of names) if (!parsed.values[name]) throw new UsageFault(`--${name} is missing.`);
  return {
    plain: parsed.positionals,
    options: parsed.values as Record<Name, string> & Partial<Record<Optional, string>>,
  };
}

function parse(words: string[], options: Record<string, { type: 'string' }>) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageFault(error instanceof Error ? error.message : String(error));
  }
}

/** Aligns rows in columns, each as wide as its longest cell. */
export function columns(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0))) ?? [];
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
