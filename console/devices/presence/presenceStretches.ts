import { durationText } from '#console/ui/state/TimeAgo.tsx';
import type { Presence } from '#contract/device.ts';

/** A time in which nothing changed. */
export interface Stretch {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** `broken`: away, and not because it or somebody here wanted it so. */
  kind: 'connected' | 'away' | 'broken';
  reason?: string | undefined;
}

const wanted = new Set(['CLOSED', 'TAKEN_OVER', 'SUSPENDED', 'KEY_CHANGED', 'KEY_EXPIRED', 'STOPPING']);

/** What a presence timeline says of the time between two moments, without gaps, oldest first. */
export function stretchesOf({ connectedAtBegin, changes }: Presence, from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  let connected = connectedAtBegin;
  let reason: string | undefined;
  let begins = from;
  const end = (at: number) => {
    if (at > begins) stretches.push({ from: begins, to: at, kind: kindOf(connected, reason), reason });
    begins = Math.max(begins, at);
  };
  for (const change of changes) {
    const at = Date.parse(change.at);
    // Two that say the same are one: a second connection beside the first changes nothing.
    if (at >= to || change.connected === connected) continue;
    end(at);
    ({ connected, reason } = { connected: change.connected, reason: change.reason });
  }
  end(to);
  return stretches;
}

function kindOf(connected: boolean, reason: string | undefined): Stretch['kind'] {
  if (connected) return 'connected';
  return reason === undefined || wanted.has(reason) ? 'away' : 'broken';
}

/** The strip in a sentence. */
export function summaryOf(stretches: readonly Stretch[]): string {
  const sum = (kinds: Stretch['kind'][]) =>
    stretches.reduce((ms, { from, to, kind }) => ms + (kinds.includes(kind) ? to - from : 0), 0);
  const connectedMs = sum(['connected']);
  const awayMs = sum(['away', 'broken']);
  if (connectedMs === 0) return 'Not connected in this period.';
  if (awayMs === 0) return 'Connected the whole time.';
  const times = stretches.filter(({ kind }) => kind !== 'connected').length;
  const percent = (connectedMs / (connectedMs + awayMs)) * 100;
  // All of it is only what was not away at all.
  const rounded = percent > 99 ? Math.min(99.9, percent).toFixed(1) : percent.toFixed(percent > 10 ? 0 : 1);
  const away = awayMs < 1000 ? 'under 1 s' : durationText(awayMs);
  return `Connected ${rounded}%, disconnected ${times === 1 ? 'once' : `${times} times`} (${away}).`;
}
