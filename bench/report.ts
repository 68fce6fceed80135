import { appendFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

/** Prints a table with the machine it was measured on, and appends it to bench/results.md. */
export function report(given: {
  title: string;
  command: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Remarks on the figures. */
  notes: readonly string[];
}): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const text = [
    `## ${given.title}`,
    '',
    `${new Date().toISOString().slice(0, 10)}, \`${given.command}\`, ${machine()}`,
    '',
    line(given.head),
    line(given.head.map(() => '---')),
    ...given.rows.map(line),
    '',
    ...given.notes.map(note => `- ${note}`),
    '',
  ].join('\n');
  console.log(text);
  appendFileSync(join(import.meta.dirname, 'results.md'), `${text}\n`);
}

function machine(): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${memory}, Linux ${release()}, Node ${process.version}`;
}

/** The value below which the given share of all values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const ms = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const perS = (value: number) => `${Math.round(value).toLocaleString('en')} /s`;
