import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { LogRequest } from '#contract/logRequest.ts';
import { minuteMs } from '#rules/time/durations.ts';

type Status = LogRequest['status'];

export const statusWords: Record<Status, { word: string; tone: Tone }> = {
  requested: { word: 'Pending', tone: 'warn' },
  uploading: { word: 'Uploading', tone: 'busy' },
  cancelled: { word: 'Cancelled', tone: 'off' },
  failure: { word: 'Failed', tone: 'danger' },
  success: { word: 'Completed', tone: 'ok' },
  nologs: { word: 'No Logs', tone: 'never' },
};

/** Pending while requested or uploading. */
export const pendingStatuses: Status[] = ['requested', 'uploading'];

export function isPending({ status }: Pick<LogRequest, 'status'>): boolean {
  return pendingStatuses.includes(status);
}

export const pollMs = minuteMs;

/** Comma-separated and trimmed. */
export function prefixesOf(text: string): string[] {
  return text
    .split(',')
    .map(prefix => prefix.trim())
    .filter(Boolean);
}
