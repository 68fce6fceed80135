import { stateWords } from '#console/devices/states/deviceStates.ts';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import type { PageQuery } from '#console/ui/list/useListState.ts';
import { type DeviceSignal, deviceSignals, deviceStates, type listDevices } from '#contract/device.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { StateCounts } from '#contract/stats.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';
import { flappingHours } from '#rules/devices/flapping.ts';
import { numberText } from '#rules/text/numberText.ts';
import { channelValue } from './deviceWords.ts';

type Query = QueryOf<typeof listDevices>;

interface Known {
  states: StateCounts | undefined;
  /** Set if the list is about all classes. */
  classes: readonly string[] | undefined;
  /** The channels that a device can follow. */
  channels: readonly string[] | undefined;
  bundles: readonly { id: string; name: string }[] | undefined;
}

const signalWords: Record<DeviceSignal, string> = {
  alert: 'Open alert',
  updateFailed: 'Update failed',
  commandFailed: 'Command failed in 24 h',
  quarantine: 'Quarantine in 24 h',
  flapping: `Flapping in ${flappingHours} h`,
  quiet: 'Gone quiet',
};

/** The filters of the device list, with a count for each choice once the counts are known. */
export function deviceFilters({ states, classes, channels, bundles }: Known): Filter[] {
  return [
    {
      id: 'state',
      label: 'State',
      single: true,
      chips: deviceStates.map(state => ({
        value: state,
        ...stateWords[state],
        // A space as wide as a digit until the count is known.
        count: states ? numberText(states[state]) : '\u2007',
      })),
    },
    ...(classes
      ? [{ id: 'class', label: 'Class', options: classes.map(id => ({ value: id, label: id })) }]
      : []),
    {
      id: 'bundle',
      label: 'Firmware',
      // Until the bundles are known, the filter keeps its place.
      ...(bundles?.length === 0 ? { isRare: true } : {}),
      options: (bundles ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      id: 'signal',
      label: 'Signals',
      options: deviceSignals.map(signal => ({ value: signal, label: signalWords[signal] })),
    },
    {
      id: 'claimed',
      label: 'Claimed',
      isRare: true,
      options: [
        { value: 'true', label: 'yes' },
        { value: 'false', label: 'no' },
      ],
    },
    {
      id: 'channel',
      label: 'Channel',
      isRare: true,
      options: (channels ?? []).map(name => ({ value: name, label: name })),
    },
  ];
}

/** The query for the server. */
export const deviceQuery = (
  { projectId, classId }: { projectId: string; classId: string | undefined },
  page: PageQuery,
  chosen: Record<string, string[]>,
): Query => ({ projectId, ...page, ...filterOf(chosen, classId) });

/**
 * The chosen filters as the server knows them. An address can contain anything; values that are not valid are left out.
 */
export function filterOf(chosen: Record<string, string[]>, classId?: string) {
  const one = (id: string) => chosen[id]?.[0];
  const deviceClass = classId ?? one('class');
  const state = deviceStates.find(known => known === one('state'));
  const signal = deviceSignals.find(known => known === one('signal'));
  const channel = one('channel');
  const isChannel = channel !== undefined && channel.length <= idMax && chosenIdPattern.test(channel);
  const bundleInstalled = one('bundle');
  const isBundle = bundleInstalled !== undefined && /^[^\0]{1,64}$/.test(bundleInstalled);
  const claimed = one('claimed');
  return {
    ...(deviceClass !== undefined && deviceClass.length <= idMax && { deviceClass }),
    ...(state && { state }),
    ...(signal && { signal }),
    ...((claimed === 'true' || claimed === 'false') && { claimed: claimed === 'true' }),
    ...(isChannel && { channel: channelValue(channel) }),
    ...(isBundle && { bundleInstalled }),
  };
}
