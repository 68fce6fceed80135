import type { streamSignals } from '#contract/appApi/stream.ts';
import { Frame } from '#server/api/http/frame.ts';
import type { HomeEvent } from '#server/people/homeEvents/readHomeEvents.ts';

export const signal = (name: (typeof streamSignals)[number], id?: string) => new Frame(name, '{}', id);

/** Undefined if the content of the event was deleted meanwhile. */
export function frameOf(event: HomeEvent, id: string): Frame | undefined {
  if (event.content === null) return undefined;
  const { type, ts, homeId, deviceId } = event;
  const of = {
    type,
    ts,
    ...(homeId !== '0' && { homeId }),
    ...(deviceId !== null && { deviceId }),
    ...ownMembers(event),
  };
  const members = [JSON.stringify(of).slice(1, -1), event.content, alertIn(event)].filter(Boolean);
  // JSON from a device may contain line breaks between its members; in strings they are escaped.
  return new Frame(type, `{${members.join(',')}}`.replace(/[\r\n]+/g, ' '), id);
}

function ownMembers({ type, name }: HomeEvent): object {
  switch (type) {
    case 'event':
      return { name };
    case 'presence':
      return { connected: name === 'connected' };
    case 'command':
      return { stage: name };
    case 'alert':
    case 'device':
    case 'home':
      return { what: name };
    case 'membership':
      return name === '' ? {} : { role: name };
    default:
      return {};
  }
}

/** Repeats the alert of an event at the top level, where apps look for it. */
function alertIn({ type, content }: HomeEvent): string {
  if (type !== 'event' || !content?.includes('"_alert"')) return '';
  const { payload } = JSON.parse(`{${content}}`) as { payload: { _alert?: unknown } | null };
  const { severity, text } = (payload?._alert ?? {}) as { severity?: unknown; text?: unknown };
  if (typeof severity !== 'string' || typeof text !== 'string') return '';
  return `"alert":${JSON.stringify({ severity, text })}`;
}
