import { CallFailed } from '#contract/client.ts';
import { type DeviceRow, listDevices, readDevice } from '#contract/device.ts';
import type { DeviceEvent } from '#contract/deviceState.ts';
import { type Call, type Command, projectOption, UsageFault } from './command.ts';
import { notFound, theProject } from './find.ts';
import { hearEvents } from './liveEvents.ts';

/** Each device is a separate stream. */
const devicesMax = 50;

type Named = Pick<DeviceRow, 'id' | 'tag' | 'name'>;

export const eventsTail: Command = {
  name: 'events tail',
  says: 'prints the events of a device, or of the devices of a class, as they come, until Ctrl+C',
  options: [
    projectOption,
    { name: 'device', takes: 'ID', says: 'the device' },
    {
      name: 'class',
      takes: 'CLASS',
      says: `the class; if it has more than ${devicesMax} devices, the most recently connected`,
    },
    { name: 'name', takes: 'EVENT', says: 'only events with this name' },
  ],
  async run(call) {
    const { words, terminal } = call;
    const { projectId, devices } = await devicesOf(call);
    const stopped = new AbortController();
    for (const sign of ['SIGINT', 'SIGTERM'] as const) process.once(sign, () => stopped.abort());
    const only = words.value('name');
    const hear = (device: Named) => {
      const onEvent = (event: DeviceEvent) => {
        if (only !== undefined && event.name !== only) return;
        terminal.answer({ deviceId: device.id, ...event }, [lineOf(device, event)]);
      };
      return hearEvents(call, { projectId, deviceId: device.id, onEvent, signal: stopped.signal });
    };
    /** A class loses devices, and the others are still listened to. */
    const hearOfClass = (device: Named) =>
      hear(device).catch(error => {
        if (!(error instanceof CallFailed) || error.reason !== 'DEVICE_NOT_FOUND') throw error;
        terminal.say(`Device ${device.tag || device.id} was deleted.`);
      });
    terminal.say(`Listening to ${devices.length === 1 ? devices[0]?.id : `${devices.length} devices`}.`);
    await Promise.all(devices.map(words.value('class') === undefined ? hear : hearOfClass));
  },
};

async function devicesOf(call: Call): Promise<{ projectId: string; devices: Named[] }> {
  const { client, words, terminal } = call;
  const [deviceId, deviceClass] = [words.value('device'), words.value('class')];
  if ((deviceId === undefined) === (deviceClass === undefined))
    throw new UsageFault('Pass either --device or --class.');
  if (deviceId !== undefined) {
    const device = await client.call(readDevice, { params: { deviceId } });
    return { projectId: device.projectId, devices: [device] };
  }
  const { id: projectId } = await theProject(call);
  const query = { projectId, deviceClass, limit: devicesMax, sortBy: 'lastSeen:desc' };
  const { items, total } = await client.call(listDevices, { query });
  if (items.length === 0) throw notFound('DEVICE_NOT_FOUND', `Class ${deviceClass} has no devices.`);
  if (total > items.length) terminal.say(`The ${items.length} most recently connected of ${total} devices.`);
  return { projectId, devices: items };
}

function lineOf({ id, tag }: Named, { ts, name, payload, alert }: DeviceEvent): string {
  const said = alert ? `${alert.severity.toUpperCase()}: ${alert.text}` : JSON.stringify(payload);
  return `${ts}  ${tag || id}  ${name}  ${said}`;
}
