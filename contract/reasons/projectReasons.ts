import type { Sentences } from './sentences.ts';

export const projectReasons = {
  // Projects
  PROJECT_NOT_FOUND: [404, 'This project does not exist.'],
  PROJECT_LIMIT_REACHED: [
    422,
    'Sorry, you cannot create more projects because you have reached the limit for your account.',
  ],
  DELETION_NOT_FOUND: [404, 'This deletion does not exist, or its record has expired.'],
  PUBLIC_ALIAS_TAKEN: [409, 'Another project has this public alias. Choose another.'],
  IRREVERSIBLE: [409, 'This setting cannot be turned off again.'],
  // Team
  MEMBER_NOT_FOUND: [404, 'This developer is not on the team.'],
  ALREADY_A_MEMBER: [409, 'This developer is already on the team.'],
  TEAM_FULL: [422, 'A team can have at most 500 members. Remove one first.'],
  LAST_MEMBER: [409, 'The last member cannot leave the project. Delete the project instead.'],
  LAST_OWNER: [409, 'A project needs an owner. Make another member an owner first.'],
  // E-mail templates
  INVALID_TEMPLATE: [422, 'This template cannot be sent. Fix the highlighted parts.'],
  // Sign-in methods
  USER_AUTH_METHOD_NOT_FOUND: [404, 'This sign-in method does not exist.'],
  TOO_MANY_METHODS: [422, 'A project can have at most 20 sign-in methods. Delete one first.'],
  TEST_NOT_FOUND: [404, 'This test sign-in does not exist or has ended.'],
  ADDRESS_REFUSED: [422, 'This address cannot be called. Enter a public https address.'],
  ISSUER_UNREACHABLE: [422, 'The issuer did not return a discovery document. Check the address.'],
  ISSUER_MISMATCH: [
    422,
    'The discovery document names a different issuer. Enter the issuer exactly as it appears there.',
  ],
  ISSUER_IN_USE: [
    409,
    'Users sign in with this issuer and would lose their accounts. Add another sign-in method for the new issuer, and delete this one once they use that.',
  ],
  ISSUER_UNFIT: [422, 'The provider lacks a feature that sign-in requires.'],
  ICON_UNFIT: [
    422,
    'This icon cannot be used. Enter the https address of a PNG, JPEG, GIF, WebP or ICO image of at most 100 kB.',
  ],
} as const satisfies Sentences;
