import type { Command } from '#contract/command.ts';
import type { DesiredChange } from '#contract/desiredChange.ts';

/** A step on the way from a tap to the device and back. */
export interface Hop {
  /** `up`: towards the platform. */
  way: 'up' | 'down';
  text: string;
  /** The name of the reported property, shown as code. */
  code?: string;
  /** Milliseconds since the tap. */
  ms: number;
}

/**
 * What is known about a tap so far. Times named `Ms` are from the local clock, times as text from the platform's clock.
 */
export interface Traced {
  label: string;
  deviceId: string;
  tapMs: number;
  sentMs?: number;
  answeredMs?: number;
  /** The reason, if the platform refused the call. */
  refusal?: string;
  command?: Command;
  /** For a desired change: what was set, and when the platform stored it. */
  desired?: { patch: Record<string, unknown>; at?: string; version?: number };
  /** The progress of the desired change, as recorded by the platform. */
  change?: DesiredChange;
  /** The device's report, as received on the stream. */
  reported?: { name: string; at: string; toldMs: number };
  /** When the stream reported that the command is finished. */
  toldMs?: number;
}

/** The hops of a tap, in order. */
export function hopsOf(traced: Traced): Hop[] {
  const { tapMs, command, desired, change, reported, toldMs } = traced;
  const aheadMs = clockAheadMs(traced);
  const hops: Hop[] = [];
  const here = (way: Hop['way'], text: string, atMs: number | undefined) => {
    if (atMs !== undefined) hops.push({ way, text, ms: atMs - tapMs });
  };
  const there = (way: Hop['way'], text: string, at: string | undefined, code?: string) => {
    if (at === undefined) return;
    hops.push({ way, text, ms: Math.max(0, Date.parse(at) - aheadMs - tapMs), ...(code && { code }) });
  };
  there('up', 'App call arrived', command?.calledAt ?? command?.createdAt ?? change?.calledAt ?? desired?.at);
  if (command) {
    there('down', 'Command sent to the device', command.sentAt);
    there('up', 'Device acknowledged', command.acknowledgedAt);
    there('up', endWords[command.stage] ?? '', endWords[command.stage] && command.finishedAt);
  }
  if (change) {
    there('down', 'Sent to the device', change.sentAt);
    there('up', 'Device acknowledged', change.acknowledgedAt);
  }
  const reportedAt = change?.stage === 'reported' ? change.reportedAt : reported?.at;
  there('up', 'Device reported', reportedAt, reported?.name);
  here('down', 'App notified over the stream', latest(toldMs, reported?.toldMs));
  return hops.sort((a, b) => a.ms - b.ms);
}

const endWords: Partial<Record<Command['stage'], string>> = {
  done: 'Device answered ok',
  failed: 'Device answered with an error',
  expired: 'Command expired',
  cancelled: 'Command cancelled',
};

/** Whether the trace is complete. */
export function isOver({ refusal, command, desired, reported, toldMs }: Traced): boolean {
  if (refusal !== undefined) return true;
  return desired ? reported !== undefined : command?.finishedAt !== undefined && toldMs !== undefined;
}

function latest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter(time => time !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/**
 * How far the platform's clock is ahead of the local one. Zero, unless the call would otherwise have arrived before it
 * was sent, or been answered before it was stored.
 */
function clockAheadMs({ sentMs, answeredMs, command, desired }: Traced): number {
  const first = command?.calledAt ?? command?.createdAt ?? desired?.at;
  const last = command?.createdAt ?? desired?.at;
  if (!first || !last || sentMs === undefined || answeredMs === undefined) return 0;
  const most = Date.parse(first) - sentMs;
  const least = Date.parse(last) - answeredMs;
  if (most < 0) return most;
  return least > 0 ? least : 0;
}
