import type { BundleName } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import type { Component } from '#contract/component.ts';

export interface UpdateStep {
  title: string;
  says: string;
  /** The label of the step's button, and where it leads. */
  verb: string;
  link: {
    to: string;
    hash?: string;
    search?: Readonly<Record<string, string>>;
    classId?: string;
    componentId?: string;
    versionId?: string;
  };
  isDone: boolean;
}

interface Known {
  /** The devices of each class. */
  classes: readonly { deviceClass: string; claimed: number; unclaimed: number }[];
  components: readonly Component[];
  bundles: readonly BundleName[];
  channels: readonly Channel[];
}

/** From a file to a device that runs it. */
export function firstUpdate({ classes, components, bundles, channels }: Known): UpdateStep[] {
  return [
    toDevice(classes),
    ...toVersion(components),
    {
      title: 'Create a bundle',
      says: 'One version per component, for the devices of a class.',
      verb: 'Create bundle',
      link: { to: '/projects/$projectId/bundles', hash: 'new' },
      isDone: bundles.length > 0,
    },
    {
      title: 'Point a channel at it',
      says: 'The devices that follow the channel update: at once, or in steps with a way back.',
      verb: channels.length > 0 ? 'Go to channels' : 'Create channel',
      link: {
        to: '/projects/$projectId/channels',
        ...(channels.length > 0 ? {} : newChannelFor(bundles[0])),
      },
      isDone: channels.some(({ bundleId }) => bundleId !== undefined),
    },
    {
      title: 'See it arrive',
      says: 'A device on the channel installs it when it connects. You can simulate one from its page.',
      verb: 'Go to devices',
      link: { to: '/projects/$projectId/devices' },
      isDone: bundles.some(({ deviceCount }) => deviceCount > 0),
    },
  ];
}

const newChannelFor = (bundle: BundleName | undefined) => ({
  hash: 'new',
  ...(bundle && { search: { of: bundle.deviceClass, bundle: bundle.id } }),
});

/** Comes first: bundles and channels belong to a class, so a newcomer without one would be stuck two steps later. */
function toDevice(classes: Known['classes']): UpdateStep {
  const [first] = classes;
  return {
    title: 'Add a device',
    says: 'Firmware belongs to a device class. Without hardware, a simulated device will do.',
    verb: first ? 'Add device' : 'Create device class',
    link: first
      ? {
          to: '/projects/$projectId/device_classes/$classId/instances',
          classId: first.deviceClass,
          hash: 'new',
        }
      : { to: '/projects/$projectId/device_classes', hash: 'new' },
    isDone: classes.some(({ claimed, unclaimed }) => claimed + unclaimed > 0),
  };
}

function toVersion(components: Known['components']): UpdateStep[] {
  const [component] = components;
  const version = component?.versions[0];
  const ofComponent = component && { componentId: component.id };
  return [
    {
      title: 'Create a component',
      says: 'One part of the device that can be updated: its application, its boot loader, its radio.',
      verb: 'Create component',
      link: { to: '/projects/$projectId/components', hash: 'new' },
      isDone: components.length > 0,
    },
    {
      title: 'Upload a version',
      says: 'The firmware file for that part. It is verified before any device can receive it.',
      verb: version ? 'Upload its file' : 'Create version',
      link: !ofComponent
        ? { to: '/projects/$projectId/components' }
        : version
          ? {
              to: '/projects/$projectId/components/$componentId/versions/$versionId',
              ...ofComponent,
              versionId: version.id,
            }
          : { to: '/projects/$projectId/components/$componentId', ...ofComponent, hash: 'new' },
      isDone: components.some(({ versions }) => versions.some(({ state }) => state === 'ready')),
    },
  ];
}
