import { type Command, commonOptions, type Option } from './command.ts';

/** All commands, one per line. */
export function helpOf(commands: readonly Command[]): string {
  const rows = commands.map(command => [usageOf(command), command.says]);
  return [
    'Usage: mooring <command> [options]',
    '',
    ...twoColumns(rows),
    '',
    'Run a command with --help to see its options. MOORING_URL and MOORING_TOKEN replace `mooring login`.',
  ].join('\n');
}

export function helpOfOne(command: Command): string {
  const options = [...(command.options ?? []), ...commonOptions];
  const rows = options.map(option => [
    optionText(option),
    `${option.says}${option.needed ? ' (required)' : ''}`,
  ]);
  return [
    `Usage: mooring ${usageOf(command)} [options]`,
    '',
    sentence(command.says),
    '',
    ...twoColumns(rows),
  ].join('\n');
}

const usageOf = ({ name, plain }: Command) => (plain ? `${name} ${plain}` : name);

const optionText = ({ name, takes }: Option) => (takes ? `--${name} ${takes}` : `--${name}`);

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function twoColumns(rows: string[][]): string[] {
  return columns(rows.map(row => ['', ...row]));
}

/** Aligns rows in columns, each as wide as its longest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0))) ?? [];
  return rows.map(row =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
