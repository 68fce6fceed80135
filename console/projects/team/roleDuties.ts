import { roleWords } from '#console/core/membership/roleWords.ts';
import { type Role, roles } from '#contract/endpoint.ts';

const duties: Record<Role, string> = {
  viewer: 'Can see everything in the project, but change nothing.',
  developer:
    'Can change everything except the team and irreversible settings, and cannot delete the project.',
  owner: 'Can do everything, including managing the team, irreversible settings and deleting the project.',
};

const inShort: Record<Role, string> = {
  viewer: 'sees everything',
  developer: 'changes all but the team',
  owner: 'does everything',
};

/** The roles to choose from, the strongest last, each with what it may do. */
export const roleChoices = roles.map(value => ({
  value,
  label: roleWords[value],
  hint: duties[value],
  inShort: inShort[value],
}));
