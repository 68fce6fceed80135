import type { LogEntry } from '#contract/log.ts';
import { dayWords } from './localTime.ts';
import { changesInShort } from './logChanges.ts';

/** What is shown as one line: an entry, or several equal ones in a row, newest first. */
export type LogGroup = readonly [LogEntry, ...LogEntry[]];

export interface LogDay {
  words: string;
  groups: LogGroup[];
}

/** Fewer are shown individually: two lines are read as quickly as a count. */
const groupedMin = 3;

/** The entries by day, newest first, with repeated entries of a day combined unless they are to stay apart. */
export function logDays(entries: readonly LogEntry[], isWhole = false): LogDay[] {
  const days: { words: string; entries: LogEntry[] }[] = [];
  for (const entry of entries) {
    const words = dayWords(entry.ts);
    const day = days.at(-1);
    if (day?.words === words) day.entries.push(entry);
    else days.push({ words, entries: [entry] });
  }
  return days.map(day => ({
    words: day.words,
    groups: isWhole ? day.entries.map((entry): LogGroup => [entry]) : groupsOf(day.entries),
  }));
}

function groupsOf(entries: readonly LogEntry[]): LogGroup[] {
  return runsOf(entries, saidBy).flatMap(run =>
    run.length < groupedMin ? run.map((entry): LogGroup => [entry]) : [run],
  );
}

/** Combines consecutive entries that are alike. */
export function runsOf(entries: readonly LogEntry[], likeness: (entry: LogEntry) => string): LogGroup[] {
  const runs: [LogEntry, ...LogEntry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && likeness(run[0]) === likeness(entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** Everything in a line except its time. */
function saidBy({ actor, action, level, text, detail }: LogEntry): string {
  const changed = changesInShort(detail?.before, detail?.after);
  return JSON.stringify([
    actor.id,
    actor.bySudoer,
    actor.tokenName,
    action,
    level,
    text,
    changed,
    detail?.reason,
  ]);
}
