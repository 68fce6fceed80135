import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { UserState } from '#contract/user.ts';

export interface Person {
  id: string;
  name: string;
  email?: string | undefined;
  externalId?: string | undefined;
}

/** What a person is called on screen: their name, else their address, else the id their back end knows them by. */
export function personName({ id, name, email, externalId }: Person): string {
  return name || email || (externalId ? externalIdText(externalId) : id);
}

/** What stands under the name to tell them from others of that name. */
export function personDetail({ id, email, externalId }: Person): string {
  return email ?? (externalId ? externalIdText(externalId) : id);
}

/** Marked as one that the developer's own back end chose. */
const externalIdText = (externalId: string) => `byou:${externalId}`;

export const userStateWords: Record<UserState, { tone: Tone; word: string }> = {
  active: { tone: 'ok', word: 'Active' },
  unverified: { tone: 'never', word: 'Not verified' },
  suspended: { tone: 'danger', word: 'Suspended' },
};

/** The ways in that every project has; a sign-in method is called as its label says. */
export const waysIn = [
  { value: 'password', label: 'E-mail' },
  { value: 'byou', label: 'Your back end' },
] as const;
