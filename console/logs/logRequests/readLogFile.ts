import { fileNotFound, noAnswer } from '#console/core/files/fileLink.ts';
import { logLevels } from '#contract/log.ts';
import { linkTo } from './useDownload.ts';

/** A line of a device's log. */
export interface FileLine {
  /** RFC 3339; empty if the line has no time. */
  ts: string;
  level: number;
  text: string;
}

/** A browser keeps at most this many; the file itself has all of them. */
export const linesMax = 500_000;

export interface ReadFile {
  lines: FileLine[];
  /** The file has more lines. */
  isCut: boolean;
}

/** Downloads and unpacks a log file, reporting the number of lines so far. */
export async function readLogFile(
  deviceId: string,
  requestId: string,
  signal: AbortSignal,
  onLines: (count: number) => void,
): Promise<ReadFile> {
  // Nothing replaces the API if the browser lacks it.
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

/** Shows whatever a device wrote; anything that is not a log line is shown as it is. */
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
