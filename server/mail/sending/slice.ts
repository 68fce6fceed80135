import type { Slice } from '#server/api/slice.ts';
import { sql } from '#server/infra/db/sql.ts';
import { batch, daysBefore } from '#server/infra/jobs/housekeeping.ts';
import { forgetMails } from './forgetMails.ts';
import { sendMail } from './sendMail.ts';
import { createSmtp } from './smtp.ts';

export const mail: Slice = {
  platformTables: { mails: 'A queued or sent e-mail.' },
  idPrefixes: ['mail'],
  forgetsUser: forgetMails,
  jobs: platform => {
    const { smtpUrl, mailFrom } = platform.config;
    const smtp = smtpUrl === undefined ? undefined : createSmtp({ smtpUrl, mailFrom });
    return {
      tasks: { sendMail: sendMail({ ...platform, smtp }) },
      stop: async () => smtp?.close(),
    };
  },
  chores: [
    {
      name: 'mails',
      deletes: now => sql`
        delete from mails where id in (
          select id from mails where created_at < ${daysBefore(now, 30)} limit ${batch}) returning 1`,
    },
  ],
};
