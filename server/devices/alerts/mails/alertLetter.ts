import type { AlertSeverity } from '#contract/alert.ts';
import { listText } from '#rules/text/listText.ts';
import { type Letter, writeLetter } from '#server/mail/sending/letter.ts';
import { link } from '#server/mail/sending/mailLinks.ts';
import { greeting, inert } from '#server/mail/sending/names.ts';

/** Alerts with one cause. */
export interface ToldCause {
  severity: AlertSeverity;
  /** That of the newest alert. */
  text: string;
  alerts: number;
  devices: number;
  /** The devices with the newest alerts. */
  names: readonly string[];
  /** When the oldest of the alerts was raised, as in JSON. */
  since: string;
  /** How often they were reported. */
  reports: number;
}

interface Given {
  baseUrl: string;
  name: string;
  project: { id: string; name: string };
  /** The most severe first, as many as an e-mail lists. */
  causes: readonly ToldCause[];
  /** How many causes there are, and how many alerts. */
  causeCount: number;
  count: number;
  /** True: there may be more alerts than were counted. */
  isAtLeast: boolean;
  severity: AlertSeverity;
  unsubscribeUrl: string;
}

const words = { info: 'Info', warning: 'Warning', critical: 'Critical' };

/** The alerts that each minimum severity includes. */
const kinds = { info: 'all alerts', warning: 'warnings and critical alerts', critical: 'critical alerts' };

/** The open alerts of a project since the last such e-mail, by cause. */
export function alertLetter({ project, causes, causeCount, count, isAtLeast, ...given }: Given): Letter {
  const { baseUrl, name, severity, unsubscribeUrl } = given;
  const [first] = causes;
  const many = `${count.toLocaleString('en')}${isAtLeast ? '+' : ''} new alerts`;
  const subject =
    causeCount === 1 && first
      ? `${words[first.severity]}: ${inert(first.text)} – ${whereOf(first, 1)}`
      : `${many} in ${inert(project.name)}`;
  const more = causeCount > causes.length ? [`The ${causes.length} most severe causes are listed here.`] : [];
  const ofCauses = causeCount === 1 ? 'one cause' : `${causeCount.toLocaleString('en')} causes`;
  const what =
    count === 1
      ? `There is a new alert in the project ${inert(project.name)}.`
      : `There are ${many} in the project ${inert(project.name)}, with ${ofCauses}.`;
  const letter = writeLetter({
    subject,
    before: [greeting(name), what, ...more],
    facts: causes.map(cause => [words[cause.severity], factOf(cause)] as const),
    button: {
      label: 'Open alerts',
      url: link(baseUrl, `/projects/${encodeURIComponent(project.id)}/alerts`, { state: 'open' }),
    },
    after: [
      {
        text: `You receive this e-mail because you turned on e-mails about ${kinds[severity]} in this project. You can change that on its Alerts page, or`,
        link: { label: 'unsubscribe', url: unsubscribeUrl },
      },
    ],
  });
  return { ...letter, unsubscribeUrl };
}

/** "Smoke in the hall – Hall thermostat, Attic and 7 more devices, since 20 Nov 2026, 09:46 UTC, reported 12 times" */
function factOf(cause: ToldCause): string {
  const at = new Date(cause.since).toLocaleString('en-GB', {
    timeZone: 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const often = cause.reports > cause.alerts ? `, reported ${cause.reports.toLocaleString('en')} times` : '';
  const since = cause.alerts > 1 ? 'since ' : '';
  return `${inert(cause.text)} – ${whereOf(cause, cause.names.length)}, ${since}${at} UTC${often}`;
}

/** The devices by name, if at most `shown` are named; a subject has room for one. */
function whereOf({ names, devices }: ToldCause, shown: number): string {
  if (devices > shown && shown < names.length) return `${devices.toLocaleString('en')} devices`;
  const more = devices - names.length;
  const others = more > 0 ? [`${more.toLocaleString('en')} more ${more === 1 ? 'device' : 'devices'}`] : [];
  return listText([...names.map(name => inert(name)), ...others]);
}
