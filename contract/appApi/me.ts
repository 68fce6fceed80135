import { z } from 'zod';
import { hourS } from '#rules/time/durations.ts';
import { endpoint } from '../endpoint.ts';
import { email, line, nameMax, passwordGiven } from '../shapes.ts';
import { language, UserExport } from '../user.ts';
import { Me } from './session.ts';

export const readMe = endpoint('readMe', 'GET /me', {
  summary: 'Retrieves the signed-in user.',
  access: 'user',
  answer: Me,
});

export const editMe = endpoint('editMe', 'PATCH /me', {
  summary: 'Updates the name and language of the signed-in user.',
  access: 'user',
  body: z.strictObject({ name: line(nameMax, 0), language: language.nullable() }).partial(),
  answer: Me,
  audit: 'Profile changed',
  makesOld: ['users', 'homes'],
});

export const proveMe = endpoint('proveMe', 'POST /me/proof', {
  summary: 'Confirms the password again, for calls that answer `PROOF_REQUIRED`.',
  access: 'user',
  body: z.strictObject({ password: passwordGiven }),
  reasons: ['WRONG_PASSWORD', 'TOO_MANY_REQUESTS'],
  audit: null,
  auditRefusals: true,
});

export const changeMyEmail = endpoint('changeMyEmail', 'POST /me/email', {
  summary:
    'Starts a change of the e-mail address: a code goes to the new one, a notice to the old one. `POST /verification` finishes it.',
  access: 'user',
  body: z.strictObject({ email: email.meta({ examples: ['ada@example.org'] }) }),
  accepted: true,
  reasons: ['PROOF_REQUIRED', 'EMAIL_UNCHANGED', 'EXTERNAL_ACCOUNTS'],
  audit: 'Change of e-mail address started',
  limit: { count: 10, windowS: 600 },
});

export const unlinkMethod = endpoint('unlinkMethod', 'DELETE /me/methods/:methodId', {
  summary: 'Removes a sign-in method from the account.',
  access: 'user',
  answer: Me,
  reasons: ['USER_AUTH_METHOD_NOT_FOUND', 'PROOF_REQUIRED', 'LAST_WAY_IN'],
  audit: 'Sign-in method removed from the account',
  makesOld: ['users'],
});

export const exportMe = endpoint('exportMe', 'POST /me/exports', {
  summary:
    'Starts an export of everything stored about the user, including the events of devices since they joined the user’s homes.',
  access: 'user',
  answer: UserExport,
  reasons: ['PROOF_REQUIRED', 'TOO_MANY_REQUESTS'],
  audit: 'Export of own data started',
  makesOld: ['users'],
  limit: { count: 10, windowS: hourS },
});

export const readMyExport = endpoint('readMyExport', 'GET /me/exports/:exportId', {
  summary: 'Retrieves an export and, when it is done, the link to its file.',
  access: 'user',
  answer: UserExport,
  reasons: ['EXPORT_NOT_FOUND'],
});

export const eraseMe = endpoint('eraseMe', 'DELETE /me', {
  summary:
    'Erases the account: sessions, memberships, and name and address in logs. Homes that the user owns must be transferred or deleted first.',
  access: 'user',
  reasons: ['PROOF_REQUIRED', 'OWNS_HOME'],
  audit: 'Account erased by its user',
  makesOld: ['users', 'homes', 'stats', 'userCounts'],
});
