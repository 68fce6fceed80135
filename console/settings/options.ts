import type { Words } from '#console/ui/differences.ts';
import type { Project } from '#contract/project.ts';

/** What each option does at run time, in one sentence. */
export const switches = [
  {
    option: 'onDemandProvisioning',
    name: 'On-demand provisioning',
    effect:
      'An app may create a device for its home and hand id and key to the hardware; no claim code is involved.',
  },
  {
    option: 'deactivateNewHomes',
    name: 'Deactivate new homes',
    effect:
      'A home is where a user’s devices belong together. New ones start inactive: visible, but without commands, until you or one of your servers (a client that may admin) activates them.',
  },
  {
    option: 'restrictUserReg',
    name: 'Restrict user registration',
    effect: 'Nobody registers by themselves: users come by invitation or are added by you.',
  },
  {
    option: 'restrictHomeCreation',
    name: 'Restrict home creation',
    effect: 'Only you and your servers (clients that may admin) create homes.',
  },
  {
    option: 'allowPublicOTAU',
    name: 'Public firmware downloads',
    effect:
      'Firmware files can be fetched from a stable address without credentials. Otherwise each download is signed, expires and is for the device’s own bundle alone.',
  },
  {
    option: 'enableDeviceLogRetrieval',
    name: 'Device log retrieval',
    effect: 'You can request log files from devices.',
  },
] as const;

export const accountModes = [
  {
    value: 'email',
    label: 'E-mail',
    hint: 'End users register with e-mail and password, or sign in by a method you set up.',
  },
  {
    value: 'external',
    label: 'External',
    hint: 'Your own back end brings the users. The user auth settings and the e-mail templates are hidden.',
  },
] as const;

export const alertRetentionRange = { min: 1, max: 3650 };

/** The options as their form has them: the number as it is typed. */
export type OptionsForm = Pick<Project, (typeof switches)[number]['option'] | 'userAccountMode'> & {
  alertRetentionPeriod: string;
};

export function toOptionsForm(project: Project): OptionsForm {
  const on = Object.fromEntries(switches.map(({ option }) => [option, project[option]]));
  const { userAccountMode, alertRetentionPeriod } = project;
  return {
    ...(on as Pick<Project, (typeof switches)[number]['option']>),
    userAccountMode,
    alertRetentionPeriod: String(alertRetentionPeriod),
  };
}

export const optionWords: Words<OptionsForm> = {
  onDemandProvisioning: 'On-demand provisioning',
  deactivateNewHomes: 'Deactivate new homes',
  restrictUserReg: 'Restrict user registration',
  restrictHomeCreation: 'Restrict home creation',
  allowPublicOTAU: 'Public firmware downloads',
  enableDeviceLogRetrieval: 'Device log retrieval',
  userAccountMode: {
    label: 'User accounts',
    say: mode => accountModes.find(({ value }) => value === mode)?.label ?? mode,
  },
  alertRetentionPeriod: { label: 'Alert retention', say: days => `${days} days` },
};
