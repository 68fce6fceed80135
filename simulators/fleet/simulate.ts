import { randomBytes } from 'node:crypto';
import { CallFailed } from '#contract/client.ts';
import {
  checkEvents,
  checkPresence,
  checkStates,
  figure,
  sampleOf,
  sendCommands,
  type Verdict,
} from './checks.ts';
import { Fleet, rest, within } from './fleet.ts';
import { findPlace, identitiesAt, identitiesIn, type Place } from './identities.ts';
import type { Identity } from './member.ts';
import type { Options } from './options.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { type Desk, signIn } from './signIn.ts';

/** How long messages in flight may take at the end. */
const settleMs = 30_000;
const reasonsShown = 3;

export interface Progress {
  /** Prints a permanent line. */
  say(line: string): void;
  /** Shows the live progress line. */
  watch(fleet: Fleet): void;
}

/** Runs the scenario and returns the results. */
export async function simulate(
  options: Options,
  progress: Progress,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const scenario: Scenario = scenarios[options.scenario];
  const desk = await signIn(options);
  const run = randomBytes(6).toString('hex');
  const fleet = new Fleet({ url: options.url, run });
  try {
    const place = desk && (await findPlace(desk, options));
    const identities = await identitiesOf(options, desk, place, progress);
    progress.watch(fleet);
    const began = new Date();
    const verdicts = [await connectAll(fleet, identities, options, signal)];
    fleet.leaveBehind();
    if (scenario.strangersPercent)
      fleet.addStrangers(
        sampleOf(identities, Math.ceil((identities.length * scenario.strangersPercent) / 100)),
      );
    const answered = await play(fleet, scenario, options, desk, signal);
    if (signal.aborted) return verdicts;
    verdicts.push(await settle(fleet, scenario, signal));
    if (fleet.rejected.length > 0) verdicts.push(messagesRejected(fleet));
    if (desk && place) {
      verdicts.push(await asked('events stored', () => checkEvents(desk, fleet.members, run, began)));
      verdicts.push(await asked('state reported', () => checkStates(desk, fleet.members)));
      if (answered) verdicts.push(await asked('commands answered', answered));
      verdicts.push(
        await asked('presence', () => checkPresence(desk, place, [...fleet.members, ...fleet.absent])),
      );
    } else verdicts.push({ check: 'read back', ok: undefined, figures: 'skipped without --email' });
    if (fleet.updates) verdicts.push(fleet.updates.verdict);
    if (fleet.strangers.length > 0) verdicts.push(strangersOutside(fleet));
    return verdicts;
  } finally {
    fleet.end();
    await desk?.leave();
  }
}

/** If the platform cannot be asked, that is a result too. */
async function asked(check: string, ask: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { check, ok: false, figures: `${error.message} (${error.reason})` };
  }
}

async function identitiesOf(
  { file, devices, url }: Options,
  desk: Desk | undefined,
  place: Place | undefined,
  { say }: Progress,
): Promise<Identity[]> {
  if (file) return identitiesIn(file, devices);
  if (!desk || !place) return [];
  say(
    `Looking for ${devices === 1 ? 'one device' : `${figure(devices)} devices`} of class ${place.deviceClass} at ${url}; what is missing is created.`,
  );
  return identitiesAt(desk, place, devices);
}

async function connectAll(
  fleet: Fleet,
  identities: readonly Identity[],
  { ramp, withinS }: Options,
  signal: AbortSignal,
): Promise<Verdict> {
  const beganMs = performance.now();
  const starting = fleet.start(identities, ramp, signal);
  const count = identities.length;
  const ok = await within(withinS * 1000, signal, () => fleet.connected === count);
  const tookS = (performance.now() - beganMs) / 1000;
  await starting;
  const reasons = fleet.members.flatMap(({ device: { status } }) =>
    status.state === 'waiting' ? [status.reason] : [],
  );
  return {
    check: 'connected',
    ok,
    figures: ok
      ? `${figure(count)} in ${tookS.toFixed(1)} s`
      : `${figure(fleet.connected)} of ${figure(count)} after ${withinS} s; others: ${[...new Set(reasons)].join(', ') || 'connecting'}`,
  };
}

/** Runs the scenario; during its first quarter, some devices get a command. */
async function play(
  fleet: Fleet,
  { run }: Scenario,
  { everyS, seconds, updates }: Options,
  desk: Desk | undefined,
  signal: AbortSignal,
): Promise<(() => Promise<Verdict>) | undefined> {
  const forMs = seconds * 1000;
  const playing = run(fleet, { everyMs: everyS * 1000, forMs, signal, updates });
  await rest(forMs / 4, signal);
  const answered =
    desk && !signal.aborted ? await sendCommands(desk, fleet.members, seconds + 60) : undefined;
  await playing;
  return answered;
}

/** Waits until all messages are acknowledged and all devices have the status in which the scenario leaves them. */
async function settle(fleet: Fleet, { endsAsleep }: Scenario, signal: AbortSignal): Promise<Verdict> {
  const wanted = endsAsleep ? 0 : fleet.members.length;
  const isStill = () => fleet.waiting === 0 && fleet.connected === wanted;
  const ok = (await within(settleMs, signal, isStill)) && fleet.sent === fleet.kept;
  const { sent, kept, connected } = fleet;
  const where =
    connected === wanted ? '' : `; ${figure(connected)} of ${figure(wanted)} connected at the end`;
  return {
    check: 'events acknowledged',
    ok,
    figures: `${figure(kept)} of ${figure(sent)}${where}`,
  };
}

/** For example because the class has a schema that these devices do not know. */
function messagesRejected({ rejected }: Fleet): Verdict {
  const total = rejected.reduce((sum, [, count]) => sum + count, 0);
  const shown = rejected.slice(0, reasonsShown).map(([why, count]) => `${figure(count)} on ${why}`);
  return {
    check: 'messages accepted',
    ok: false,
    figures: `${figure(total)} rejected: ${shown.join('; ')}`,
  };
}

function strangersOutside({ strangers }: Fleet): Verdict {
  const inside = strangers.filter(({ wasEverConnected }) => wasEverConnected).length;
  return {
    check: 'strangers refused',
    ok: inside === 0,
    figures: `${figure(strangers.length - inside)} of ${figure(strangers.length)}`,
  };
}
