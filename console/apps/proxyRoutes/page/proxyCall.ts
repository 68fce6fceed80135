import type { LogEntry } from '#contract/log.ts';
import { isObject } from '#rules/json/mergePatch.ts';

/** Headers and body are present only if the call was recorded. */
interface Message {
  headers?: [name: string, value: string][];
  body?: string;
}

/** The details of a call through a route in its HTTP log entry. */
interface Detail {
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  reason?: string;
  fault?: string;
  sent?: Message & { url?: string };
  received?: Message & { status?: number; bytes?: number };
}

export interface ProxyCall extends Detail {
  id: string;
  ts: string;
  caller: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

export function toProxyCall({ id, ts, actor, detail }: LogEntry): ProxyCall {
  const { method = '', path = '', status = 0, ms = 0, ...more } = isDetail(detail) ? detail : {};
  return {
    id,
    ts,
    method,
    path: pathBelow(path),
    status,
    ms,
    caller: actor.displayName || actor.id,
    ...more,
  };
}

/** By hand, because the schema library would be larger than the screen. */
function isDetail(value: unknown): value is Detail {
  const kinds = {
    method: 'string',
    path: 'string',
    status: 'number',
    ms: 'number',
    reason: 'string',
  } as const;
  return (
    hasKinds(value, { ...kinds, fault: 'string' }) &&
    isMessage(value.sent, { url: 'string' }) &&
    isMessage(value.received, { status: 'number', bytes: 'number' })
  );
}

function isMessage(value: unknown, kinds: Kinds): boolean {
  if (value === undefined) return true;
  if (!hasKinds(value, { ...kinds, body: 'string' })) return false;
  const { headers = [] } = value;
  return Array.isArray(headers) && headers.every(isPair);
}

const isPair = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every(one => typeof one === 'string');

type Kinds = Readonly<Record<string, 'string' | 'number'>>;

function hasKinds(value: unknown, kinds: Kinds): value is Record<string, unknown> {
  return (
    isObject(value) &&
    Object.entries(kinds).every(([name, kind]) => value[name] === undefined || typeof value[name] === kind)
  );
}

/** What follows the prefix, which is the same for all calls of a route. */
const pathBelow = (path: string) => path.replace(/^.*?\/appProxy(?=\/|\?|$)/, '') || '/';
