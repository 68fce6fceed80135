import { type Fleet, pulse, rest, within } from './fleet.ts';
import { FleetUpdates, isAmong, type UpdateOptions } from './fleetUpdates.ts';
import type { Member } from './member.ts';

export interface Run {
  everyMs: number;
  forMs: number;
  signal: AbortSignal;
  updates: UpdateOptions;
}

export interface Scenario {
  summary: string;
  /** The behavior of the devices during the run. */
  run: (fleet: Fleet, run: Run) => Promise<void>;
  /** True: the devices sleep at the end, so they must be disconnected. */
  endsAsleep?: true;
  /** The number of additional devices with a wrong key, as a percentage. */
  strangersPercent?: number;
}

const wakeMaxMs = 20_000;
/** How often a device of a flapping fleet loses its connection, and for how long. */
const flap = { everyMs: 20_000, awayMs: [500, 4_000] } as const;

export const scenarios = {
  steady: {
    summary: 'All devices stay connected; each reports its state and sends events from time to time.',
    run: (fleet, run) => pulse(fleet.members, run, speak),
  },
  flapping: {
    summary: 'Like steady, but each device loses its connection three times a minute.',
    async run(fleet, run) {
      const falls = pulse(
        fleet.members,
        { ...run, everyMs: flap.everyMs },
        member => void fall(member, run.signal),
      );
      await Promise.all([pulse(fleet.members, run, speak), falls]);
    },
  },
  storm: {
    summary:
      'Like steady, but all devices lose their connection at the same time, twice, and reconnect within two seconds.',
    async run(fleet, run) {
      await Promise.all([pulse(fleet.members, run, speak), ...[1, 2].map(third => storm(fleet, run, third))]);
    },
  },
  sleepy: {
    summary: 'Each device wakes up from time to time, sends what it has and goes back to sleep.',
    async run(fleet, run) {
      for (const { device } of fleet.members) device.disconnect();
      await pulse(fleet.members, run, member => void wake(member, run.signal));
      await within(wakeMaxMs, run.signal, () => fleet.connected === 0);
    },
    endsAsleep: true,
  },
  faulty: {
    summary:
      'Like steady, with connections that break in the middle of a message, and connections with wrong keys.',
    async run(fleet, run) {
      await pulse(fleet.members, run, member => {
        speak(member);
        if (Math.random() < 0.1) void fall(member, run.signal);
      });
    },
    strangersPercent: 5,
  },
  update: {
    summary:
      'Like steady; devices also follow their firmware targets, and some fail or are offline for the first half.',
    async run(fleet, run) {
      const end = new AbortController();
      const signal = AbortSignal.any([run.signal, end.signal]);
      const away = fleet.members.filter((_, index) => isAmong(index, run.updates.offlinePercent));
      for (const { device } of away) device.disconnect();
      const updates = new FleetUpdates(fleet.members, run.updates);
      fleet.updates = updates;
      const speaking = pulse(fleet.members, { ...run, signal }, speak);
      await within(run.forMs / 2, run.signal, () => away.length === 0 && updates.isOver);
      for (const { device } of away) device.connect();
      await within(run.forMs / 2, run.signal, () => updates.isOver);
      end.abort();
      await speaking;
    },
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

function speak(member: Member): void {
  void member.speak();
}

async function fall({ device }: Member, signal: AbortSignal): Promise<void> {
  const [least, most] = flap.awayMs;
  device.disconnect({ abruptly: true });
  await rest(least + Math.random() * (most - least), signal);
  device.connect();
}

async function storm(fleet: Fleet, { forMs, signal }: Run, third: number): Promise<void> {
  await rest((forMs * third) / 3, signal);
  if (signal.aborted) return;
  for (const { device } of fleet.members) {
    device.disconnect({ abruptly: true });
    setTimeout(() => device.connect(), Math.random() * 2_000);
  }
}

async function wake(member: Member, signal: AbortSignal): Promise<void> {
  // Still awake, because sending took longer than the sleep.
  if (member.device.status.state !== 'offline') return;
  member.device.connect();
  await within(wakeMaxMs, signal, () => member.isConnected);
  await member.speak();
  // Time to receive the messages that waited for it.
  await rest(500, signal);
  await within(wakeMaxMs, signal, () => member.device.waiting === 0);
  member.device.disconnect();
}
