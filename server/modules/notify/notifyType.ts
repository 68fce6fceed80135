import { quietHoursFault } from '#rules/time/quietHours.ts';
import { checkTemplate } from '#server/mail/emailTemplates/check/checkTemplate.ts';
import type { Checking, ModuleType } from '#server/modules/smartModules/moduleType.ts';
import { moduleType } from '#server/modules/smartModules/moduleType.ts';
import { notify } from './notify.ts';
import { type NotifyConfig, notifyConfig } from './notifyConfig.ts';
import { deviceValuesIn, notifyTemplate, notifyVariables } from './notifyMail.ts';
import { externalUsersSay, hasExternalUsers } from './unmailedUsers.ts';

/** E-mails the members of a device's home. */
export const notifyType: ModuleType<NotifyConfig> = moduleType({
  id: 'notify',
  name: 'Notification',
  summary: 'Sends an e-mail to the members of a home when something happens there.',
  dataSourceModuleTypes: [],
  takesEvents: true,
  causesNothing: true,
  isDataSource: false,
  config: notifyConfig,
  attemptsAfterS: [0, 10, 60],
  check: async (config, given) => ({ faults: faultsOf(config), notes: await notesOf(given) }),
  run: notify,
});

/** Each field is checked in an e-mail whose other field is valid. */
function faultsOf({ subject, text, ...config }: NotifyConfig): { pointer: string; message: string }[] {
  const ofField = (
    pointer: string,
    field: 'subject' | 'body',
    wording: { subject: string; text: string },
  ) => {
    const variables = [...notifyVariables, ...deviceValuesIn(wording)];
    const [fault] = checkTemplate(notifyTemplate(wording), variables).filter(one => one.field === field);
    return fault ? [{ pointer, message: fault.message }] : [];
  };
  const quiet = config.hasQuietTime && quietHoursFault({ from: config.quietFrom, to: config.quietTo });
  return [
    ...(quiet ? [{ pointer: '/quietTo', message: quiet }] : []),
    ...ofField('/subject', 'subject', { subject, text: 'sound' }),
    ...ofField('/text', 'body', { subject: 'sound', text }),
  ];
}

async function notesOf({ db, projectId }: Checking): Promise<string[]> {
  return (await hasExternalUsers(db, projectId)) ? [`${externalUsersSay} This module sends none.`] : [];
}
