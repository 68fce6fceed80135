import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { personName } from '#console/ui/links/personWords.ts';
import { listDeviceEntities } from '#contract/deviceState.ts';
import { listHomes } from '#contract/home.ts';
import { listHomeDevices } from '#contract/homeDevice.ts';
import type { ProxyResource } from '#contract/proxyRoute.ts';
import { listUsers } from '#contract/user.ts';

interface Option {
  value: string;
  label: string;
}

const usersMax = 20;

type Given = Partial<Record<'userId' | 'homeId' | 'deviceId' | 'entityId', string>>;

/** Who calls, and what the call is about: each choice offers what belongs to the previous one. */
export function useSubject(projectId: string, resource: ProxyResource) {
  const [search, setSearch] = useState('');
  const [given, setGiven] = useState<Given>({});
  const query = { projectId, limit: usersMax, ...(search && { search }) };
  const usersRead = useRead(listUsers, { query });
  const { data } = usersRead;
  const users = options(data?.items, user => ({ value: user.id, label: personName(user) }));
  // A call about a home needs a user who has one.
  const hasHome = data?.items.find(({ homeCount }) => homeCount > 0);
  const first = depthOf[resource] > 0 ? hasHome?.id : undefined;
  const userId = chosen(users, given.userId ?? first);
  const below = useBelow(projectId, resource, userId, given);
  const choices = [
    { name: 'userId' as const, label: 'As user', options: users, value: userId },
    ...below.choices,
  ];
  const chosenAs = (name: keyof Given) => choices.find(one => one.name === name)?.value;
  const subjectName = { home: 'homeId', device: 'deviceId', entity: 'entityId' } as const;
  const about = resource === 'project' || resource === 'user' ? undefined : subjectName[resource];
  return {
    search,
    setSearch,
    /** There are more users than are offered. */
    hasMore: (data?.total ?? 0) > usersMax,
    /** False until it is known whether there is any user. */
    isKnown: data !== undefined,
    /** The read of choices that failed. */
    failed: [usersRead, ...below.reads].find(({ data, error }) => data === undefined && error),
    choices: choices.map(one => ({
      ...one,
      onChange: (value: string) => setGiven(now => ({ ...now, [one.name]: value })),
    })),
    /** Why there is nothing to call, in words. */
    lacks: below.lacks,
    subject: { userId, ...(about && chosenAs(about) && { [about]: chosenAs(about) }) },
    /** Everything that the call needs is chosen. */
    isComplete: userId !== '' && (about === undefined || Boolean(chosenAs(about))),
  };
}

/** How many choices a call needs besides the user. */
const depthOf = { project: 0, user: 0, home: 1, device: 2, entity: 3 };

/** The choices below the user: their homes, the devices of one, the entities of one. */
function useBelow(projectId: string, resource: ProxyResource, userId: string, given: Given) {
  const depth = depthOf[resource];
  const ofHomes = { query: { projectId, userId } };
  const homesRead = useRead(listHomes, ofHomes, { enabled: depth > 0 && userId !== '' });
  const homes = options(homesRead.data?.items, ({ id, name }) => ({ value: id, label: `${id} ${name}` }));
  const homeId = chosen(homes, given.homeId);
  const ofDevices = { params: { homeId }, query: {} };
  const devicesRead = useRead(listHomeDevices, ofDevices, { enabled: depth > 1 && homeId !== '' });
  const devices = options(devicesRead.data, device => ({ value: device.id, label: deviceName(device) }));
  const deviceId = chosen(devices, given.deviceId);
  const ofEntities = { params: { deviceId } };
  const entitiesRead = useRead(listDeviceEntities, ofEntities, { enabled: depth > 2 && deviceId !== '' });
  const entities = options(entitiesRead.data, ({ name }) => ({ value: `${deviceId}:${name}`, label: name }));
  const choices = [
    { name: 'homeId' as const, label: 'In home', options: homes, value: homeId },
    { name: 'deviceId' as const, label: 'Of device', options: devices, value: deviceId },
    {
      name: 'entityId' as const,
      label: 'Of entity',
      options: entities,
      value: chosen(entities, given.entityId),
    },
  ].slice(0, depth);
  const isEmpty = (read: { data: unknown }, all: readonly Option[]) =>
    read.data !== undefined && all.length === 0;
  const lacks =
    depth > 0 && isEmpty(homesRead, homes)
      ? 'This user has no home. Choose another user.'
      : depth > 1 && isEmpty(devicesRead, devices)
        ? 'This home has no device. Choose another home.'
        : depth > 2 && isEmpty(entitiesRead, entities)
          ? 'This device has no entity. Choose another device.'
          : undefined;
  return { choices, lacks, reads: [homesRead, devicesRead, entitiesRead] };
}

const options = <Row>(rows: readonly Row[] | undefined, option: (row: Row) => Option): Option[] =>
  (rows ?? []).map(option);

/** The chosen value if it is still offered; otherwise the first. */
function chosen(all: readonly Option[], value: string | undefined): string {
  return all.find(one => one.value === value)?.value ?? all[0]?.value ?? '';
}
