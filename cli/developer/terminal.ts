import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CallFailed } from '#contract/client.ts';
import { exits, Failed, type Terminal } from './command.ts';

/** Answers go to stdout and everything else to stderr, so that a pipe gets only the answer. */
export function terminalOf({ json }: { json: boolean }): Terminal {
  const isWatched = Boolean(process.stdin.isTTY && process.stderr.isTTY);
  let isOpenLine = false;
  const endLine = () => {
    if (isOpenLine) process.stderr.write('\n');
    isOpenLine = false;
  };
  return {
    isWatched,
    say(line) {
      endLine();
      if (!json) process.stderr.write(`${line}\n`);
    },
    answer(value, lines) {
      endLine();
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map(line => `${line}\n`).join(''));
    },
    progress(line) {
      if (json || !process.stderr.isTTY) return;
      process.stderr.write(`\r${line}\u001b[K`);
      isOpenLine = true;
    },
    ask: (question, options) => ask(question, options),
  };
}

let reader: Interface | undefined;
let hiding = false;
/** Lines that arrived before they were asked for, because a pipe delivers all at once. */
const early: string[] = [];
const waiting: ((line: string) => void)[] = [];

/** Reads a line from the user or from a pipe; the input of secrets is hidden. */
async function ask(question: string, { hidden = false }: { hidden?: boolean } = {}): Promise<string> {
  reader ??= openReader();
  process.stderr.write(question);
  hiding = hidden;
  const line = early.shift() ?? (await new Promise<string>(resolve => waiting.push(resolve)));
  if (hidden) process.stderr.write('\n');
  hiding = false;
  return line.trim();
}

function openReader(): Interface {
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hiding) process.stderr.write(chunk);
      done();
    },
  });
  const opened = createInterface({ input: process.stdin, output, terminal: Boolean(process.stdin.isTTY) });
  opened.on('line', line => {
    const next = waiting.shift();
    if (next) next(line);
    else early.push(line);
  });
  opened.on('close', () => {
    for (const next of waiting.splice(0)) next('');
  });
  return opened;
}

/** Closes stdin; otherwise the process would wait for more input. */
export function closeTerminal(): void {
  reader?.close();
}

/** Describes why a command failed, with the exit code. */
export function failureOf(error: unknown): { exit: number; json: unknown; lines: string[] } {
  if (error instanceof CallFailed) {
    const { reason, message, fields, context, requestId } = error;
    const atFields = Object.entries(fields).map(([name, code]) => `  ${name}: ${code}`);
    const next = nextStep(error);
    return {
      exit: exitOf(error),
      json: { reason, message, ...(atFields.length > 0 && { fields }), context, requestId },
      lines: [`${reason}: ${message}`, ...atFields, ...(next ? [next] : [])],
    };
  }
  if (error instanceof Failed) {
    const { exit, reason, message } = error;
    return { exit, json: { reason, message }, lines: [`${reason}: ${message}`] };
  }
  throw error;
}

function exitOf({ reason, status }: CallFailed): number {
  if (reason === 'CONNECTION_ERROR' || status === 429 || status >= 500) return exits.unavailable;
  if (status === 401 || status === 403) return exits.access;
  return status === 404 ? exits.notFound : exits.refused;
}

/** What to do, if the sentence of the reason does not fit a command line. */
function nextStep({ reason, retryAfterS }: CallFailed): string | undefined {
  if (reason === 'NO_LOGIN') return 'Run `mooring login`, or set MOORING_TOKEN.';
  if (reason === 'CONNECTION_ERROR') return 'Check the address: `mooring login` or MOORING_URL sets it.';
  return retryAfterS === undefined ? undefined : `Try again in ${retryAfterS} s.`;
}
