import type { AlertSeverity } from '#contract/alert.ts';
import { type Letter, writeLetter } from '#server/mail/sending/letter.ts';
import { link } from '#server/mail/sending/mailLinks.ts';
import { greeting, inert } from '#server/mail/sending/names.ts';

export interface ToldAlert {
  severity: AlertSeverity;
  text: string;
  /** As in JSON. */
  ts: string;
  count: number;
  device: string;
}

interface Given {
  baseUrl: string;
  name: string;
  project: { id: string; name: string };
  /** The most severe first, as many as an e-mail lists. */
  alerts: readonly ToldAlert[];
  count: number;
  /** True: there may be more alerts than were counted. */
  isAtLeast: boolean;
  severity: AlertSeverity;
  unsubscribeUrl: string;
}

const words = { info: 'Info', warning: 'Warning', critical: 'Critical' };

/** The alerts that each minimum severity includes. */
const kinds = { info: 'all alerts', warning: 'warnings and critical alerts', critical: 'critical alerts' };

/** The open alerts of a project since the last such e-mail. */
export function alertLetter({ project, alerts, count, isAtLeast, ...given }: Given): Letter {
  const { baseUrl, name, severity, unsubscribeUrl } = given;
  const [first] = alerts;
  const many = `${count.toLocaleString('en')}${isAtLeast ? '+' : ''} new alerts`;
  const subject =
    count === 1 && first
      ? `${words[first.severity]}: ${inert(first.text)} – ${inert(first.device)}`
      : `${many} in ${inert(project.name)}`;
  const more = count > alerts.length ? [`The ${alerts.length} most severe of them are listed here.`] : [];
  const what = count === 1 ? 'There is a new alert' : `There are ${many}`;
  const letter = writeLetter({
    subject,
    before: [greeting(name), `${what} in the project ${inert(project.name)}.`, ...more],
    facts: alerts.map(alert => [words[alert.severity], factOf(alert)] as const),
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

/** "Smoke in the hall – Hall thermostat, 20 Nov 2026, 09:46 UTC, reported 3 times" */
function factOf({ text, device, ts, count }: ToldAlert): string {
  const at = new Date(ts).toLocaleString('en-GB', {
    timeZone: 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const often = count > 1 ? `, reported ${count.toLocaleString('en')} times` : '';
  return `${inert(text)} – ${inert(device)}, ${at} UTC${often}`;
}
