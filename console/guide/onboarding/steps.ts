import type { LinkProps } from '@tanstack/react-router';
import type { Developer } from '#contract/account.ts';
import type { Project } from '#contract/project.ts';

type Flag = keyof Developer['onboardStates'];

export interface Step {
  id: string;
  title: string;
  /** The benefit of the step. */
  says: string;
  link: LinkProps;
  done: boolean;
}

interface Place {
  flag: Flag;
  /** The first path segments under the project; opening one of them completes the step. */
  parts: readonly string[];
  to: string;
  title: string;
  says: string;
}

/** The tour: a step is completed by opening its place. It has only places whose route exists. */
export const places: readonly Place[] = [
  {
    flag: 'entered_devices',
    parts: ['device_classes', 'devices'],
    to: '/projects/$projectId/device_classes',
    title: 'Look at the devices',
    says: 'A class is a kind of device; each device is an instance of one.',
  },
  {
    flag: 'entered_apps',
    parts: ['apps', 'other_clients', 'proxy_routes'],
    to: '/projects/$projectId/apps',
    title: 'Look at the apps',
    says: 'How your users and your own servers connect.',
  },
  {
    flag: 'entered_users',
    parts: ['users', 'homes'],
    to: '/projects/$projectId/users',
    title: 'Look at the users',
    says: 'Who owns the devices, and the homes they are in.',
  },
  {
    flag: 'entered_smart_modules',
    parts: ['smart_modules'],
    to: '/projects/$projectId/smart_modules',
    title: 'Look at the smart modules',
    says: 'What happens automatically when a device sends something.',
  },
];

/** Links to a device, whose page opens the simulator; if there is none, to where a device can be added. */
function simulateStep(project: Project, deviceId: string | undefined, developer: Developer): Step {
  const projectId = project.id;
  const link = deviceId
    ? { to: '/projects/$projectId/devices/$deviceId', params: { projectId, deviceId } }
    : { to: '/projects/$projectId/device_classes', params: { projectId } };
  return {
    id: 'launched_dev_sim',
    title: 'Simulate a device',
    says: 'No hardware needed: it opens in its own window and talks to the platform like a real device.',
    link: link as LinkProps,
    done: developer.onboardStates.launched_dev_sim !== undefined,
  };
}

/** The progress of a project. */
interface Reached {
  teamSize: number;
  classes: number;
  devices: number;
  /** A device to try things with. */
  deviceId: string | undefined;
  developer: Developer;
}

/** The steps to set up a project that is not the sample. */
export function projectSteps(
  project: Project,
  { teamSize, classes, devices, deviceId, developer }: Reached,
): Step[] {
  const params = { projectId: project.id };
  const to = '/projects/$projectId/device_classes';
  return [
    {
      id: 'class',
      title: 'Create a device class',
      says: 'One for each kind of device you make.',
      link: { to, params, hash: 'new' } as LinkProps,
      done: classes > 0,
    },
    {
      id: 'device',
      title: 'Add a device',
      says: 'Then connect it with mosquitto, curl or the simulator.',
      link: { to, params } as LinkProps,
      done: devices > 0,
    },
    simulateStep(project, deviceId, developer),
    {
      id: 'describe',
      title: 'Describe your product',
      says: 'A description helps new team members find their way.',
      link: { to: '/projects/$projectId/settings', params } as LinkProps,
      done: project.description.trim() !== '',
    },
    // Only an owner can add team members.
    ...(project.role === 'owner' || teamSize > 1
      ? [
          {
            id: 'team',
            title: 'Invite your team',
            says: 'Invite them by e-mail and give each a role.',
            link: {
              to: '/projects/$projectId/team',
              params,
              ...(teamSize === 1 && { hash: 'new' }),
            } as LinkProps,
            done: teamSize > 1,
          },
        ]
      : []),
    {
      id: 'auth2F',
      title: 'Protect your account',
      says: 'Two-factor authentication protects you if your password is stolen.',
      link: { to: '/account' },
      done: developer.auth2FActivated,
    },
  ];
}

/** Links to the apps, each of which can be opened in the simulator. */
function appStep(project: Project, developer: Developer): Step {
  return {
    id: 'launched_app_sim',
    title: 'Open the app',
    says: 'As your users see it: with a user, a home, and a lamp to switch.',
    link: { to: '/projects/$projectId/apps', params: { projectId: project.id } } as LinkProps,
    done: developer.onboardStates.launched_app_sim !== undefined,
  };
}

interface Tour {
  developer: Developer;
  deviceId: string | undefined;
  exists: (to: string) => boolean;
}

export function tourSteps(project: Project, { developer, deviceId, exists }: Tour): Step[] {
  const there = places
    .filter(({ to }) => exists(to))
    .map(({ flag, to, title, says }) => ({
      id: flag,
      title,
      says,
      link: { to, params: { projectId: project.id } } as LinkProps,
      done: developer.onboardStates[flag] !== undefined,
    }));
  const placed = ['entered_devices', 'entered_apps'];
  const place = (flag: string) => there.filter(({ id }) => id === flag);
  // Each simulator comes after the place that it belongs to, and before the places that show its results.
  return [
    ...place('entered_devices'),
    simulateStep(project, deviceId, developer),
    ...place('entered_apps'),
    appStep(project, developer),
    ...there.filter(({ id }) => !placed.includes(id)),
  ];
}
