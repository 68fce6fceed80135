import { type DeviceRow, deviceStates, listDevices } from '#contract/device.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { type Command, numberOf, projectOption, UsageFault, type Words } from './command.ts';
import { theProject } from './find.ts';
import { columns } from './help.ts';

const limitDefault = 100;
const pageMax = 500;

type Query = QueryOf<typeof listDevices>;

export const devicesList: Command = {
  name: 'devices list',
  says: 'lists devices',
  options: [
    projectOption,
    { name: 'class', takes: 'CLASS', says: 'only of this device class' },
    { name: 'state', takes: 'STATE', says: `only in this state: ${deviceStates.join(', ')}` },
    { name: 'channel', takes: 'CHANNEL', says: 'only devices that follow this channel' },
    { name: 'bundle', takes: 'ID', says: 'only devices that report this bundle as installed' },
    { name: 'search', takes: 'TEXT', says: 'search in id, tag, name and description' },
    { name: 'limit', takes: 'N', says: `maximum number of devices; default: ${limitDefault}` },
  ],
  async run(call) {
    const { client, words, terminal } = call;
    const { id: projectId } = await theProject(call);
    const limit = numberOf(words, 'limit') ?? limitDefault;
    const found: DeviceRow[] = [];
    let cursor: string | undefined;
    do {
      const size = Math.min(pageMax, limit - found.length);
      const query: Query = { ...filtersOf(words), projectId, limit: size, ...(cursor && { cursor }) };
      const { items, nextCursor } = await client.call(listDevices, { query });
      found.push(...items);
      cursor = nextCursor;
    } while (cursor !== undefined && found.length < limit);
    terminal.answer(
      found,
      columns([['ID', 'TAG', 'CLASS', 'STATE', 'CHANNEL', 'BUNDLE'], ...found.map(toRow)]),
    );
  },
};

function filtersOf(words: Words): Omit<Query, 'projectId'> {
  const given = words.value('state');
  const state = deviceStates.find(one => one === given);
  if (given !== undefined && !state)
    throw new UsageFault(`--state must be one of ${deviceStates.join(', ')}.`);
  const [deviceClass, channel] = [words.value('class'), words.value('channel')];
  const [bundleInstalled, search] = [words.value('bundle'), words.value('search')];
  return {
    ...(state && { state }),
    ...(deviceClass && { deviceClass }),
    // Devices store the default channel as an empty string.
    ...(channel !== undefined && { channel: channel === 'stable' ? '' : channel }),
    ...(bundleInstalled && { bundleInstalled }),
    ...(search && { search }),
  };
}

function toRow(device: DeviceRow): string[] {
  const { id, tag, deviceClass, suspended, connectionStatus, channel, bundleInstalled } = device;
  const bundle = device.bundleInstalledName ?? bundleInstalled ?? '';
  return [id, tag, deviceClass, suspended ? 'suspended' : connectionStatus, channel || 'stable', bundle];
}
