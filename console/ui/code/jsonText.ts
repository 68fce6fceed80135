import type { CodeMark } from '#console/ui/editor/marks.ts';
import { CallFailed } from '#contract/client.ts';
import { formatJson } from '#rules/json/formatJson.ts';
import { type JsonFault, parseStrictJson } from '#rules/json/strictJson.ts';
import { jsonPlace } from './jsonPlace.ts';

/** Formatted for reading. */
export function textOfJson(value: unknown): string {
  return formatJson(JSON.stringify(value));
}

/** Why a text is not JSON that can be sent. */
export function jsonFault(text: string): JsonFault | undefined {
  const parsed = parseStrictJson(text);
  return parsed.ok ? undefined : parsed.fault;
}

/** The value of a text without faults. */
export function parsedJson(text: string): never {
  return JSON.parse(text) as never;
}

export function isJsonObject(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Fault {
  /** JSON pointer. */
  at: string;
  text: string;
}

/**
 * The server's faults of a text that violates a schema, or is not a valid schema, as marks. `under` is the pointer to
 * the text in the request body.
 */
export function schemaMarks(error: Error | undefined | null, text: string, under = ''): CodeMark[] {
  if (jsonFault(text)) return [];
  return faultsOf(error)
    .filter(({ at }) => at.startsWith(under))
    .map(({ at, text: message }) => {
      const { from, to } = jsonPlace(text, at.slice(under.length));
      return {
        ...lineOf(text, from),
        length: Math.max(1, Math.min(to, lineEnd(text, from)) - from),
        message,
      };
    });
}

function faultsOf(error: Error | undefined | null): readonly Fault[] {
  if (!(error instanceof CallFailed)) return [];
  const { faults, at, text } = (error.context ?? {}) as { faults?: readonly Fault[] } & Partial<Fault>;
  if (faults) return faults;
  return at !== undefined && text !== undefined ? [{ at, text }] : [];
}

function lineOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
