import { roleWords } from '#console/membership/roleWords.ts';
import { type Role, roles } from '#contract/endpoint.ts';

const duties: Record<Role, string> = {
  viewer: 'Sees everything in the project and changes nothing.',
  developer: 'Changes everything but the team, what cannot be undone, and whether the project exists.',
  owner: 'Does everything: the team, irreversible settings, deleting the project.',
};

/** The roles to choose from, the strongest last, each with what it may do. */
export const roleChoices = roles.map(value => ({ value, label: roleWords[value], hint: duties[value] }));
