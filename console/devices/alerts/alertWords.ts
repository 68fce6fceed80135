import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { Alert, AlertAction, AlertBy, AlertChange, AlertSeverity, AlertState } from '#contract/alert.ts';

export const stateWords: Record<AlertState, { tone: Tone; word: string }> = {
  open: { tone: 'danger', word: 'Open' },
  acknowledged: { tone: 'warn', word: 'Acknowledged' },
  resolved: { tone: 'off', word: 'Resolved' },
};

export const severityWords: Record<AlertSeverity, { tone: Tone; word: string }> = {
  critical: { tone: 'danger', word: 'Critical' },
  warning: { tone: 'warn', word: 'Warning' },
  info: { tone: 'busy', word: 'Info' },
};

/** The worst first, as filters list them. */
export const severities = ['critical', 'warning', 'info'] as const;

export type AlertAct = AlertAction['action'];

/** The minimum severity, as a label beside “E-mails”. */
export const minimumWords: Record<AlertSeverity, string> = {
  critical: 'critical only',
  warning: 'warning and above',
  info: 'all severities',
};

/** The actions on alerts, and what each is called while it runs and when it is done. */
export const actWords: Record<AlertAct, { verb: string; doing: string; done: string }> = {
  acknowledge: { verb: 'Acknowledge', doing: 'Acknowledging', done: 'Acknowledged' },
  resolve: { verb: 'Resolve', doing: 'Resolving', done: 'Resolved' },
  reopen: { verb: 'Reopen', doing: 'Reopening', done: 'Reopened' },
};

/** The actions that make sense in a state, the next step first. */
export const actsIn: Record<AlertState, readonly AlertAct[]> = {
  open: ['acknowledge', 'resolve'],
  acknowledged: ['resolve', 'reopen'],
  resolved: ['reopen'],
};

/** The device's name, else its tag, else its id. */
export const nameOfDevice = ({ deviceName, deviceTag, deviceId }: Alert) =>
  deviceName || deviceTag || deviceId;

/** "1 alert", "1,204 alerts" */
export const alertsSaid = (count: string) => (count === '1' ? '1 alert' : `${count} alerts`);

/** Who did something, for the beginning or end of a sentence. */
export function byText({ type, name, id }: AlertBy): string {
  switch (type) {
    case 'device':
      return 'the device';
    case 'module':
      return `the smart module ${id}`;
    case 'platform':
      return 'Mooring';
    case 'key':
      return `the key ${name ?? id}`;
    case 'user':
      return name ? name : 'an erased user';
    case 'developer':
      return name || id;
  }
}

const changeWords: Record<Exclude<AlertChange['what'], 'severity'>, string> = {
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  reopened: 'Reopened',
  note: 'Note',
};

/** "Resolved by Ida", "Warning reported by the device" */
export function changeText({ what, severity, by }: AlertChange): string {
  if (what === 'severity') return `${severityWords[severity ?? 'info'].word} reported by ${byText(by)}`;
  return `${changeWords[what]} by ${byText(by)}`;
}
