import { CallFailed } from '#contract/client.ts';
import { readCommand, sendCommand } from '#contract/command.ts';
import { listDevices } from '#contract/device.ts';
import { listDeviceEvents, readDeviceState } from '#contract/deviceState.ts';
import { nextCursorHeader } from '#contract/paging.ts';
import { isObject } from '#rules/json/mergePatch.ts';
import { numberText } from '#rules/text/numberText.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import type { Place } from './identities.ts';
import { inParallel } from './inParallel.ts';
import type { Member } from './member.ts';
import type { Desk } from './signIn.ts';

export interface Verdict {
  check: string;
  /** Undefined: it could not be checked. */
  ok: boolean | undefined;
  figures: string;
  /** The figures as numbers, for comparisons. */
  counts?: Record<string, number>;
}

/** The maximum number of devices of a large fleet that are read back individually. */
const sampleMax = 300;
const commandsMax = 100;
const presenceTries = { count: 20, everyMs: 1_000 };

export const figure = (n: number) => numberText(n);

/** A sample spread evenly over all items. */
export function sampleOf<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, at) => all[Math.floor(at * step)]).filter(
    one => one !== undefined,
  );
}

/** Checks that the events the platform acknowledged can be read. */
export async function checkEvents(
  desk: Desk,
  members: readonly Member[],
  run: string,
  began: Date,
): Promise<Verdict> {
  let [kept, lost, twice] = [0, 0, 0];
  const sample = sampleOf(members, sampleMax);
  await inParallel(sample, async member => {
    const found = new Map<number, number>();
    for await (const payload of eventsSince(desk, member.id, began)) {
      if (!isObject(payload) || payload.run !== run || typeof payload.n !== 'number') continue;
      found.set(payload.n, (found.get(payload.n) ?? 0) + 1);
    }
    kept += member.kept.length;
    lost += member.kept.filter(n => !found.has(n)).length;
    twice += [...found.values()].filter(count => count > 1).length;
  });
  const of = sample.length < members.length ? ` of ${figure(sample.length)} devices` : '';
  const again = twice > 0 ? `, ${figure(twice)} arrived twice` : '';
  return {
    check: 'events stored',
    ok: lost === 0,
    figures: `${figure(kept - lost)} of ${figure(kept)} acknowledged${of} read back${again}`,
  };
}

const page = 999;

async function* eventsSince({ client }: Desk, deviceId: string, began: Date): AsyncGenerator<unknown> {
  // The platform's clock may differ from ours.
  const begin = new Date(began.getTime() - minuteMs).toISOString();
  const end = new Date(Date.now() + hourMs).toISOString();
  for (let after: string | undefined; ; ) {
    const query = { begin, end, name: 'tick', maxEntries: page, ...(after && { after }) };
    const events = await client.call(listDeviceEvents, { params: { deviceId }, query });
    for (const { payload } of events) yield payload;
    after = events.at(-1)?.id;
    if (events.length < page) return;
  }
}

/** Checks that the platform shows the last acknowledged state. */
export async function checkStates({ client }: Desk, members: readonly Member[]): Promise<Verdict> {
  const sample = sampleOf(
    members.filter(({ state }) => state),
    sampleMax,
  );
  const right = await inParallel(sample, async ({ id, state }) => {
    const { reported } = await client.call(readDeviceState, { params: { deviceId: id } });
    return reported.n === state?.n && reported.temperature === state?.temperature;
  });
  const count = right.filter(Boolean).length;
  return {
    check: 'state reported',
    ok: count === sample.length,
    figures: `${figure(count)} of ${figure(sample.length)} devices match`,
  };
}

/** Sends one command to each of some devices; returns a function that checks the results. */
export async function sendCommands(
  { client }: Desk,
  members: readonly Member[],
  ttlS: number,
): Promise<() => Promise<Verdict>> {
  const sent = await inParallel(sampleOf(members, commandsMax), async ({ id }) => {
    const body = { name: 'blink', args: { of: id }, ttlS };
    const command = client.call(sendCommand, { params: { deviceId: id }, body });
    return command.then(({ id: commandId }) => ({ deviceId: id, commandId }), reasonOf);
  });
  return async () => {
    const stages = await inParallel(sent, async params => {
      if (typeof params === 'string') return params;
      const { stage, result } = await client.call(readCommand, { params, query: { waitMs: 10_000 } });
      const isRight = isObject(result) && isObject(result.done) && result.done.of === params.deviceId;
      return stage === 'done' && !isRight ? 'wrong result' : stage;
    });
    const others = stages.filter(stage => stage !== 'done');
    return {
      check: 'commands answered',
      ok: others.length === 0,
      figures:
        `${figure(stages.length - others.length)} of ${figure(stages.length)}` +
        (others.length > 0 ? `; others: ${[...new Set(others)].join(', ')}` : ''),
    };
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof CallFailed) return error.reason;
  throw error;
}

/** Checks that the platform shows the actual connection status of every device, after a short delay. */
export async function checkPresence(
  desk: Desk,
  place: Place,
  members: readonly Member[],
  tries = presenceTries,
): Promise<Verdict> {
  let wrong: string[] = [];
  for (let at = 0; at < tries.count; at++) {
    const shown = await presences(desk, place);
    wrong = members
      .filter(({ id, isConnected }) => (shown.get(id) === 'connected') !== isConnected)
      .map(({ id }) => id);
    if (wrong.length === 0) break;
    await new Promise(resolve => setTimeout(resolve, tries.everyMs));
  }
  const names = wrong.length > 0 ? `; wrong: ${wrong.slice(0, 3).join(', ')}` : '';
  return {
    check: 'presence',
    ok: wrong.length === 0,
    figures: `${figure(members.length - wrong.length)} of ${figure(members.length)} shown correctly${names}`,
  };
}

async function presences({ client }: Desk, { projectId, deviceClass }: Place): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (let cursor: string | undefined; ; ) {
    let next: string | null = null;
    const query = {
      projectId,
      deviceClass,
      limit: page,
      sortBy: 'tag:asc',
      ...(cursor && { cursor }),
    } as const;
    const onHeaders = (headers: Headers) => {
      next = headers.get(nextCursorHeader);
    };
    const { items } = await client.call(listDevices, { query, onHeaders });
    for (const { id, connectionStatus } of items) shown.set(id, connectionStatus);
    if (next === null) return shown;
    cursor = next;
  }
}
