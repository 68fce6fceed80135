import type { ModuleTypeId } from '#contract/moduleConfig.ts';
import { hourS } from '#rules/time/durations.ts';
import type { ModuleValues } from './form/moduleValues.ts';

/** A module with everything filled in except what only its developer knows. */
export interface Example {
  id: string;
  title: string;
  says: string;
  moduleType: ModuleTypeId;
  /** The suggested id. */
  moduleId: string;
  values: (given: Given) => Partial<ModuleValues>;
}

interface Given {
  /** The e-mail address of the developer who creates the module. */
  email: string;
  /** A number that the devices of the project report, preferably a temperature. */
  property: string;
}

export const examples: readonly Example[] = [
  {
    id: 'above',
    title: 'E-mail me when a sensor is above 30',
    says: 'For five minutes, for example. One e-mail, until it is below 30 again.',
    moduleType: 'rule',
    moduleId: 'too-warm',
    values: ({ email, property }) => ({
      subscribedEvents: '_state_',
      configData: {
        condition: `state.${property} > 30`,
        forS: 300,
        actions: [
          {
            kind: 'email',
            to: 'addresses',
            addresses: [email],
            subject: `{{ device.name }} has been above 30 for five minutes`,
            text: `{{ device.name }} ({{ device.tag }}) reports ${property} {{ state.${property} }}.`,
          },
        ],
      },
    }),
  },
  {
    id: 'offline',
    title: 'Raise an alert when a device stays offline',
    says: 'For an hour, for example. The alert resolves itself when the device is back.',
    moduleType: 'rule',
    moduleId: 'offline-for-an-hour',
    values: () => ({
      subscribedEvents: '_connected_\n_disconnected_',
      configData: {
        condition: '!device.connected',
        forS: hourS,
        actions: [
          {
            kind: 'alert',
            severity: 'warning',
            text: '{{ device.name }} has been offline for an hour',
            resolves: true,
          },
        ],
      },
    }),
  },
  {
    id: 'crm',
    title: 'Send every alert to my server',
    says: 'One signed call for each, retried for 18 hours if your server does not answer.',
    moduleType: 'webhook',
    moduleId: 'alerts-out',
    values: () => ({ subscribedEvents: '_alert_' }),
  },
  {
    id: 'morning',
    title: 'Set all devices at 7 in the morning',
    says: 'In a time zone you choose, even when clocks change.',
    moduleType: 'schedule',
    moduleId: 'every-morning',
    values: () => ({
      configData: { cron: '0 7 * * *', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    }),
  },
];
