import { acceptKey, losses } from '#server/api/installation/masterKey.ts';
import { migrate } from '#server/infra/db/migrate.ts';
import { joinPostgres } from '#server/infra/db/postgres.ts';
import { openDatabase } from '#server/infra/db/sql.ts';
import { type Command, readWords } from './words.ts';

/** The way out when a key is gone for good; without it, devices and data would be lost along with the secrets. */
export const acceptKeyCommand: Command = {
  name: 'accept-key',
  usage: 'accept-key',
  says: 'goes on with the present master key, or a new one, after the former was lost',
  run: async () => [],
  async alone(config, words) {
    readWords(words, 0, []);
    const postgres = await joinPostgres({ ...config, log: { warn: text => console.error(text) } });
    const db = openDatabase(postgres.url, { max: 1 });
    try {
      await migrate(postgres.url);
      const { fingerprint } = await acceptKey(db, config);
      return [
        `The master key of this database is now ${fingerprint}. Keep a copy of it.`,
        `What was encrypted under another key cannot be read any more: ${losses}.`,
        'People with two-factor authentication sign in with a recovery code and set it up again. Devices keep their keys. ' +
          'Enter the other secrets again. Audit logs of which entries have expired are reported as changed.',
      ];
    } finally {
      await db.end();
      await postgres.stop();
    }
  },
};
