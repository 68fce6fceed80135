import type { Slice } from '#server/slice.ts';

export const userMails: Slice = {
  tables: { user_codes: 'What an e-mail to an end user proves: a code, and the token of a link.' },
};
