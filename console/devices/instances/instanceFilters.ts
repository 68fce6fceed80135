import { channelName, channelValue } from '#console/devices/deviceWords.ts';
import type { Filter } from '#console/ui/list/ListScreen.tsx';
import type { PageQuery } from '#console/ui/list/useListState.ts';
import { connectionStatuses, type listDevices } from '#contract/device.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { type DeviceFigures, figureMax } from '#contract/stats.ts';
import { chosenIdPattern, idMax } from '#rules/chosenId.ts';

type Query = QueryOf<typeof listDevices>;

/** The filters of the device list, with how many there are of each once that is known. */
export function instanceFilters(figures: DeviceFigures | undefined): Filter[] {
  const exact = (count: number | undefined) => (count === undefined ? {} : { count: exactText(count) });
  const count = (count: number | undefined) => (count === undefined ? {} : { count: figureText(count) });
  return [
    {
      id: 'connection',
      label: 'Connection',
      single: true,
      chips: [
        { value: 'connected', label: 'Connected', tone: 'ok', ...exact(figures?.connected) },
        { value: 'disconnected', label: 'Disconnected', tone: 'off', ...count(figures?.disconnected) },
        { value: 'never', label: 'Never', tone: 'never', ...count(figures?.never) },
      ],
    },
    {
      id: 'suspended',
      label: 'Suspension',
      single: true,
      chips: [{ value: 'true', label: 'Suspended', tone: 'danger', ...count(figures?.suspended) }],
    },
    {
      id: 'claimed',
      label: 'Claimed',
      options: [
        { value: 'true', label: 'yes' },
        { value: 'false', label: 'no' },
      ],
    },
    {
      id: 'channel',
      label: 'Channel',
      options: (figures?.channels ?? [{ channel: '' }]).map(({ channel }) => ({
        value: channelName(channel),
        label: channelName(channel),
      })),
    },
    { id: 'bundle', label: 'Bundle' },
  ];
}

export const exactText = (count: number) => count.toLocaleString('en');

/** Counted up to a bound, and at it "10,000+". */
export function figureText(count: number): string {
  return exactText(count) + (count >= figureMax ? '+' : '');
}

/** What to ask the server for. An address can say anything; what makes no sense in it is left out. */
export function instanceQuery(
  { projectId, classId }: { projectId: string; classId: string },
  page: PageQuery,
  chosen: Record<string, string[]>,
): Query {
  const one = (id: string) => chosen[id]?.[0];
  const connectionStatus = connectionStatuses.find(status => status === one('connection'));
  const channel = one('channel');
  const isChannel = channel !== undefined && channel.length <= idMax && chosenIdPattern.test(channel);
  const bundleInstalled = one('bundle');
  const isBundle = bundleInstalled !== undefined && /^[^\0]{1,64}$/.test(bundleInstalled);
  return {
    projectId,
    deviceClass: classId,
    ...page,
    ...(connectionStatus && { connectionStatus }),
    ...yesOrNo('suspended', one('suspended')),
    ...yesOrNo('claimed', one('claimed')),
    ...(isChannel && { channel: channelValue(channel) }),
    ...(isBundle && { bundleInstalled }),
  };
}

function yesOrNo<Name extends string>(name: Name, value: string | undefined): { [N in Name]?: boolean } {
  if (value !== 'true' && value !== 'false') return {};
  return { [name]: value === 'true' } as { [N in Name]?: boolean };
}
