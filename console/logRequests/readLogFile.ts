import { fileNotFound, noAnswer } from '#console/files/fileLink.ts';
import { logLevels } from '#contract/log.ts';
import { linkTo } from './useDownload.ts';

/** A line of a device's log. */
export interface FileLine {
  /** RFC 3339; empty where the line has none. */
  ts: string;
  level: number;
  text: string;
}

/** More are not kept in a browser; the file itself has them all. */
export const linesMax = 500_000;

export interface ReadFile {
  lines: FileLine[];
  /** There were more. */
  isCut: boolean;
}

/** Fetches and unpacks a log file on the way, telling how many lines there are so far. */
export async function readLogFile(
  deviceId: string,
  requestId: string,
  signal: AbortSignal,
  onLines: (count: number) => void,
): Promise<ReadFile> {
  // What the browser lacks cannot be made up for.
  if (!('DecompressionStream' in window)) throw fileNotFound();
  const response = await fetch(await linkTo(deviceId, requestId), { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw noAnswer();
  });
  if (!response.ok || !response.body) throw fileNotFound();
  const text = response.body
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(new TextDecoderStream());
  try {
    return await linesOf(text, onLines);
  } catch (error) {
    if (signal.aborted) throw error;
    throw fileNotFound();
  }
}

async function linesOf(text: ReadableStream<string>, onLines: (count: number) => void): Promise<ReadFile> {
  const lines: FileLine[] = [];
  let rest = '';
  const reader = text.getReader();
  for (;;) {
    const { value = '', done } = await reader.read();
    const parts = (rest + value).split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    for (const part of parts) if (part.trim() !== '') lines.push(lineOf(part));
    onLines(lines.length);
    if (lines.length >= linesMax) {
      await reader.cancel();
      return { lines: lines.slice(0, linesMax), isCut: true };
    }
    if (done) return { lines, isCut: false };
  }
}

/** Whatever a device wrote is shown; what is no log line is shown as it stands. */
function lineOf(text: string): FileLine {
  try {
    const { ts, level, text: said } = JSON.parse(text) as { ts?: unknown; level?: unknown; text?: unknown };
    if (typeof said === 'string') return { ts: timeOf(ts), level: levelOf(level), text: said };
  } catch {
    // Not JSON: the whole line is the text.
  }
  return { ts: '', level: levelOf(undefined), text };
}

/** Some devices write milliseconds since 1970. */
function timeOf(ts: unknown): string {
  if (typeof ts === 'number' && Math.abs(ts) <= 8.64e15) return new Date(ts).toISOString();
  return typeof ts === 'string' ? ts : '';
}

const info = logLevels.indexOf('INFO');

function levelOf(level: unknown): number {
  return typeof level === 'number' && level in logLevels ? level : info;
}
