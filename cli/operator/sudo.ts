import { consoleUrl } from '#server/accounts/developers/mailTo.ts';
import { findByEmail } from '#server/accounts/developers/store.ts';
import { makeToken } from '#server/accounts/developers/tokens.ts';
import { normalEmail } from '#server/accounts/identity/email.ts';
import { auditOperator } from './platform.ts';
import { type Command, readWords, UsageFault } from './words.ts';

export const sudoCommands: Command[] = [
  {
    name: 'sudo link',
    usage: 'sudo link <org> <e-mail> --sudoer <who> --reason <why> --ticket <id>',
    says: 'creates a link to act as a developer: single use, valid for 10 minutes, for a session of 1 hour',
    async run(platform, words) {
      const { plain, options } = readWords(words, 2, ['sudoer', 'reason', 'ticket']);
      const [org = '', email = ''] = plain;
      const { reason, ticket, sudoer } = options;
      const link = await platform.db.tx(async db => {
        const row = await findByEmail(db, org, normalEmail(email));
        if (!row) throw new UsageFault(`Developer ${email} does not exist in ${org}.`);
        const data = { sudoer, reason, ticket };
        const given = { orgId: org, developerId: row.id, data, now: platform.clock() };
        const token = await makeToken(db, 'sudo', given);
        const text = `Support link for ${row.email} created for ${sudoer}`;
        await auditOperator(db, platform, {
          orgId: org,
          subject: row.id,
          action: 'makeSudoLink',
          text,
          detail: data,
        });
        const query = new URLSearchParams({ sudoer, orgId: org, email: row.email, token });
        return `${await consoleUrl(db, platform, org)}/sudo?${query}`;
      });
      return [link, '', 'It works once, within 10 minutes. The developer is notified by e-mail.'];
    },
  },
];
