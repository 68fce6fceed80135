import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '../report.ts';
import { type Identity, LoadDevice } from './loadDevice.ts';

const atOnce = 256;

/** The server under load, which listens for MQTT. */
export interface Target {
  name: string;
  port: number;
  pid: number;
  /** The topic that a device publishes to. */
  topicOf: (id: string) => string;
}

export const residentKb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0');

/** Connects all devices, a limited number at a time. */
export async function connectAll(
  target: Target,
  identities: readonly Identity[],
): Promise<{ devices: LoadDevice[]; perS: number }> {
  const devices: LoadDevice[] = [];
  const rest = [...identities];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = rest.pop(); one; one = rest.pop())
        devices.push(await LoadDevice.connect(target.port, one));
    }),
  );
  return { devices, perS: (devices.length / (performance.now() - startedMs)) * 1000 };
}

/** Each device publishes its next message when the previous one is acknowledged. */
export async function publishAll(
  target: Target,
  devices: readonly LoadDevice[],
  seconds: number,
): Promise<{ perS: number; sent: number }> {
  let sent = 0;
  const payload = Buffer.from('{"temperature":21.5,"humidity":40}');
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  await Promise.all(
    devices.map(async device => {
      const topic = target.topicOf(device.id);
      while (performance.now() < untilMs) {
        await device.publish(topic, payload);
        sent += 1;
      }
    }),
  );
  return { perS: (sent / (performance.now() - startedMs)) * 1000, sent };
}

/**
 * Publishes at a fixed rate, evenly over the devices, regardless of acknowledgements; returns the latency of each
 * message.
 */
export async function atRate(
  perS: number,
  seconds: number,
  send: (i: number) => Promise<void>,
): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  const all: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let i = 0; i < perS * seconds; ) {
    const due = ((performance.now() - startedMs) / 1000) * perS;
    for (; i < due; i++) {
      const sentMs = performance.now();
      all.push(send(i).then(() => void times.push(performance.now() - sentMs)));
    }
    await wait(1);
  }
  await Promise.all(all);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
