import { useRead } from '#console/core/api.ts';
import { defaultChannel, listChannelNames } from '#contract/channel.ts';
import { byName } from '#rules/text/byName.ts';

/** The names of the channels that devices of a class can follow; `stable` always, since a device can follow it before it exists. */
export function useChannelChoices(
  projectId: string,
  deviceClass: string | undefined,
): readonly string[] | undefined {
  const { data } = useRead(
    listChannelNames,
    { query: { projectId, ...(deviceClass !== undefined && { deviceClass }) } },
    { enabled: deviceClass !== '' },
  );
  if (!data) return undefined;
  const names = new Set(data.map(({ name }) => name));
  names.delete(defaultChannel);
  return [defaultChannel, ...[...names].sort(byName)];
}
