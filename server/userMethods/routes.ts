import type { Slice } from '#server/slice.ts';

export const userMethods: Slice = {
  tables: {
    user_identities: 'Who an end user is at a provider.',
    user_sign_ins:
      'A sign-in of an end user at a provider: pending, or its outcome until the app fetches it.',
  },
  idPrefixes: ['sin'],
};
