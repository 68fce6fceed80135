import { z } from 'zod';
import type { LogEntry } from '#contract/log.ts';

/** Headers and body are present only if the call was recorded. */
const message = {
  headers: z.array(z.tuple([z.string(), z.string()])).optional(),
  body: z.string().optional(),
};

/** The details of a call through a route in its HTTP log entry. */
const Detail = z
  .object({
    method: z.string(),
    path: z.string(),
    status: z.number(),
    ms: z.number(),
    reason: z.string(),
    fault: z.string(),
    sent: z.object({ url: z.string().optional(), ...message }),
    received: z.object({ status: z.number().optional(), bytes: z.number().optional(), ...message }),
  })
  .partial();

export interface ProxyCall extends z.output<typeof Detail> {
  id: string;
  ts: string;
  caller: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

export function toProxyCall({ id, ts, actor, detail }: LogEntry): ProxyCall {
  const read = Detail.safeParse(detail ?? {});
  const { method = '', path = '', status = 0, ms = 0, ...more } = read.success ? read.data : {};
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

/** What follows the prefix, which is the same for all calls of a route. */
const pathBelow = (path: string) => path.replace(/^.*?\/appProxy(?=\/|\?|$)/, '') || '/';
