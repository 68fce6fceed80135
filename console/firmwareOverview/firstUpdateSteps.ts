import type { Bundle } from '#contract/bundle.ts';
import type { Channel } from '#contract/channel.ts';
import type { Component } from '#contract/component.ts';

export interface UpdateStep {
  title: string;
  says: string;
  /** The button that does it, and where it leads. */
  verb: string;
  link: { to: string; componentId?: string; versionId?: string; hash?: string };
  isDone: boolean;
}

interface Known {
  components: readonly Component[];
  bundles: readonly Bundle[];
  channels: readonly Channel[];
}

/** From a file to the devices that run it, in four steps. */
export function firstUpdate({ components, bundles, channels }: Known): UpdateStep[] {
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
      says: 'The file of that part. It is verified before a device can be pointed at it.',
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
      link: { to: '/projects/$projectId/channels', ...(channels.length > 0 ? {} : { hash: 'new' }) },
      isDone: channels.some(({ bundleId }) => bundleId !== undefined),
    },
  ];
}
