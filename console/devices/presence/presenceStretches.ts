import { durationText } from '#console/ui/time/TimeAgo.tsx';
import type { Presence } from '#contract/presence.ts';

/** A period in which nothing changed. */
export interface Stretch {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** `taken`: disconnected because a newer connection took over its client id. `unrecorded`: not known. */
  kind: 'connected' | 'away' | 'taken' | 'unrecorded';
  reason?: string | undefined;
}

/** The period shown, and since when the device has a record. */
export interface Span {
  from: number;
  to: number;
  /** When the device was created. */
  recordedFrom: number;
}

/** The stretches of a presence timeline between two times, without gaps, oldest first. */
export function stretchesOf(
  { connectedAtBegin, changes, truncated }: Presence,
  { from, to, recordedFrom }: Span,
): Stretch[] {
  const stretches: Stretch[] = [];
  let connected = connectedAtBegin;
  let reason: string | undefined;
  // If the oldest changes are left out, the record begins with the first change there is.
  const firstAt = truncated && changes[0] ? Date.parse(changes[0].at) : recordedFrom;
  let begins = Math.min(to, Math.max(from, firstAt));
  if (begins > from) stretches.push({ from, to: begins, kind: 'unrecorded' });
  const end = (at: number) => {
    if (at > begins) stretches.push({ from: begins, to: at, kind: kindOf(connected, reason), reason });
    begins = Math.max(begins, at);
  };
  for (const change of changes) {
    const at = Date.parse(change.at);
    // A change to the same state is no change: for example a second parallel connection.
    if (at >= to || change.connected === connected) continue;
    end(at);
    ({ connected, reason } = { connected: change.connected, reason: change.reason });
  }
  end(to);
  return stretches;
}

function kindOf(connected: boolean, reason: string | undefined): Stretch['kind'] {
  if (connected) return 'connected';
  return reason === 'TAKEN_OVER' ? 'taken' : 'away';
}

export const isAway = ({ kind }: Stretch) => kind === 'away' || kind === 'taken';

/** The disconnections that follow a connection; before its first connection a device has nothing to lose. */
export function dropsOf(stretches: readonly Stretch[]): Stretch[] {
  return stretches.filter(
    (one, at) => isAway(one) && (one.reason !== undefined || stretches[at - 1]?.kind === 'connected'),
  );
}

export function sumMs(stretches: readonly Stretch[], isMeant: (stretch: Stretch) => boolean): number {
  return stretches.reduce((ms, one) => ms + (isMeant(one) ? one.to - one.from : 0), 0);
}

/** How long the device was disconnected, also if shorter than a second. */
export function awayText(ms: number): string {
  return ms < 1000 ? 'under 1 s' : durationText(ms);
}

/** The strip as a sentence. Time without a record is not counted. */
export function summaryOf(stretches: readonly Stretch[]): string {
  const connectedMs = sumMs(stretches, ({ kind }) => kind === 'connected');
  const awayMs = sumMs(stretches, isAway);
  const recordedMs = connectedMs + awayMs;
  const isWhole = !stretches.some(({ kind }) => kind === 'unrecorded');
  const of = isWhole ? '' : ` of the ${durationText(recordedMs)} on record`;
  if (connectedMs === 0) return isWhole ? 'Not connected in this period' : `Not connected${of && ' so far'}`;
  if (awayMs === 0) return isWhole ? 'Connected the whole time' : `Connected for all${of}`;
  const percent = (connectedMs / recordedMs) * 100;
  // "100 %" is only for a device that was never disconnected.
  const rounded = percent > 99 ? Math.min(99.9, percent).toFixed(1) : percent.toFixed(percent > 10 ? 0 : 1);
  const drops = dropsOf(stretches).length;
  const times = drops === 1 ? 'once' : `${drops} times`;
  const away =
    drops > 0 ? `, disconnected ${times}, ${awayText(sumMs(dropsOf(stretches), () => true))} in all` : '';
  return `Connected ${rounded} %${of}${away}`;
}
