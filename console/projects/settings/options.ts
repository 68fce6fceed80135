import type { Words } from '#console/ui/code/differences.ts';
import { callRates, type Project } from '#contract/project.ts';
import { burstS, messagesPerS } from '#rules/devices/gatewayLimits.ts';
import { alertRetentionDefault, historyDays } from '#rules/time/retention.ts';
import { isWithin } from './userAuth/passwordPolicy.ts';

/**
 * The options and their effects at run time, in one sentence each. Options that take something away are shown as what
 * they leave, so that nobody has to read a double negative.
 */
export const switches = [
  {
    option: 'onDemandProvisioning',
    name: 'On-demand provisioning',
    effect:
      'Apps can create a device for a home and pass its id and key to the hardware. No claim code is needed.',
  },
  {
    option: 'deactivateNewHomes',
    name: 'New homes start',
    words: ['active', 'inactive'],
    isReversed: true,
    effect:
      'A home groups the devices of a user. An inactive home is visible, but takes no commands until you or your back end (a key with Admin) activates it.',
  },
  {
    option: 'restrictUserReg',
    name: 'Users can register',
    words: ['yes', 'no'],
    isReversed: true,
    effect: 'If not, they must be invited, or you add them.',
  },
  {
    option: 'restrictHomeCreation',
    name: 'Users can create homes',
    words: ['yes', 'no'],
    isReversed: true,
    effect: 'If not, only you and your back end (a key with Admin) can.',
  },
  {
    option: 'allowPublicOTAU',
    name: 'Public firmware downloads',
    effect:
      'Firmware files can be downloaded from a fixed address without credentials. Otherwise each download link is signed, expires, and works only for the device’s own bundle.',
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
    hint: 'End users register with e-mail and password, or use a sign-in method you set up.',
  },
  {
    value: 'external',
    label: 'External',
    hint: 'Your own back end manages the users. The user auth settings and e-mail templates are hidden.',
  },
] as const;

export const numbers = [
  {
    option: 'alertRetentionPeriod',
    name: 'Alert retention',
    unit: 'days',
    effect: 'Alerts older than this are deleted.',
    range: { min: 1, max: 3650 },
    usual: alertRetentionDefault,
  },
  {
    option: 'deviceMessageRate',
    name: 'Device messages',
    unit: 'per second',
    effect: `Messages each device can send, with bursts of up to ${burstS} seconds’ worth. Further messages are held back, and a device that keeps exceeding the limit is disconnected.`,
    range: { min: 1, max: 1000 },
    usual: messagesPerS,
  },
  {
    option: 'userCallRate',
    name: 'Calls per user',
    unit: 'per second',
    effect: `Calls each user of an app can make, with bursts of up to ${callRates.user.burstS} seconds’ worth. Further calls are refused, with the time to retry.`,
    range: { min: 1, max: callRates.user.max },
    usual: callRates.user.usual,
  },
  {
    option: 'projectCallRate',
    name: 'Calls by all apps, and by all keys',
    unit: 'per second',
    effect: `The limit for all apps combined, and separately for all keys combined, with bursts of up to ${callRates.project.burstS} seconds’ worth.`,
    range: { min: 1, max: callRates.project.max },
    usual: callRates.project.usual,
  },
  {
    option: 'rawHistoryDays',
    name: 'State history: single reports',
    unit: 'days',
    effect: 'Each reported number is kept this long. Charts of up to six hours show single reports.',
    range: { min: 1, max: historyDays.raw },
    usual: historyDays.raw,
  },
  {
    option: 'fiveMinuteHistoryDays',
    name: 'State history: five-minute figures',
    unit: 'days',
    effect: 'The minimum, mean and maximum of every five minutes are kept this long.',
    range: { min: 1, max: historyDays.fiveMinute },
    usual: historyDays.fiveMinute,
  },
  {
    option: 'hourlyHistoryDays',
    name: 'State history: hourly figures',
    unit: 'days',
    effect: 'The minimum, mean and maximum of every hour are kept this long.',
    range: { min: 1, max: historyDays.hourly },
    usual: historyDays.hourly,
  },
] as const;

type SwitchOption = (typeof switches)[number]['option'];
type NumberOption = (typeof numbers)[number]['option'];

/** The order in which options are shown. */
export const optionGroups: readonly {
  title: string;
  options: readonly (SwitchOption | NumberOption | 'userAccountMode')[];
}[] = [
  { title: 'Users', options: ['userAccountMode', 'restrictUserReg'] },
  { title: 'Homes', options: ['deactivateNewHomes', 'restrictHomeCreation'] },
  {
    title: 'Devices',
    options: ['onDemandProvisioning', 'allowPublicOTAU', 'enableDeviceLogRetrieval', 'deviceMessageRate'],
  },
  { title: 'Calls', options: ['userCallRate', 'projectCallRate'] },
  {
    title: 'How long data is kept',
    options: ['alertRetentionPeriod', 'rawHistoryDays', 'fiveMinuteHistoryDays', 'hourlyHistoryDays'],
  },
];

/** The options in their form: numbers as typed. */
export type OptionsForm = Pick<Project, SwitchOption | 'userAccountMode'> & Record<NumberOption, string>;

export function toOptionsForm(project: Project): OptionsForm {
  const on = Object.fromEntries(switches.map(({ option }) => [option, project[option]]));
  const typed = Object.fromEntries(numbers.map(({ option }) => [option, String(project[option])]));
  return {
    ...(on as Pick<Project, SwitchOption>),
    ...(typed as Record<NumberOption, string>),
    userAccountMode: project.userAccountMode,
  };
}

/** The numbers that are not valid or out of range. */
export function faultsOf(form: OptionsForm): Partial<Record<NumberOption, 'OUT_OF_RANGE'>> {
  const wrong = numbers.filter(({ option, range }) => !isWithin(form[option], range));
  return Object.fromEntries(wrong.map(({ option }) => [option, 'OUT_OF_RANGE']));
}

export function toOptionsBody(changed: Partial<OptionsForm>): Partial<Project> {
  const given = numbers.filter(({ option }) => changed[option] !== undefined);
  const read = Object.fromEntries(given.map(({ option }) => [option, Number(changed[option])]));
  return { ...(changed as Partial<Omit<OptionsForm, NumberOption>>), ...read };
}

export const optionWords: Words<OptionsForm> = {
  onDemandProvisioning: 'On-demand provisioning',
  deactivateNewHomes: { label: 'New homes start', say: isOff => (isOff ? 'inactive' : 'active') },
  restrictUserReg: { label: 'Users can register', say: isOff => (isOff ? 'no' : 'yes') },
  restrictHomeCreation: { label: 'Users can create homes', say: isOff => (isOff ? 'no' : 'yes') },
  allowPublicOTAU: 'Public firmware downloads',
  enableDeviceLogRetrieval: 'Device log retrieval',
  userAccountMode: {
    label: 'User accounts',
    say: mode => accountModes.find(({ value }) => value === mode)?.label ?? mode,
  },
  alertRetentionPeriod: { label: 'Alert retention', say: days => `${days} days` },
  deviceMessageRate: { label: 'Device messages', say: rate => `${rate} per second` },
  userCallRate: { label: 'Calls per user', say: rate => `${rate} per second` },
  projectCallRate: { label: 'Calls by all apps, and by all keys', say: rate => `${rate} per second` },
  rawHistoryDays: { label: 'Single reports', say: days => `${days} days` },
  fiveMinuteHistoryDays: { label: 'Five-minute figures', say: days => `${days} days` },
  hourlyHistoryDays: { label: 'Hourly figures', say: days => `${days} days` },
};
