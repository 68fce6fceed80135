import { confirmClock } from '#server/api/retention/retentionClock.ts';
import { type Command, readWords } from './words.ts';

export const clockConfirm: Command = {
  name: 'clock confirm',
  usage: 'clock confirm',
  says: 'says that the clock is right after it jumped ahead, so that expired data is deleted again',
  async run(platform, words) {
    readWords(words, 0, []);
    const now = await confirmClock(platform);
    return [`Expired data is deleted again, as of ${now.toISOString()}.`];
  },
};
