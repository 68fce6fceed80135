import type { Tone } from '#console/ui/state/StatePill.tsx';
import type { UserState } from '#contract/user.ts';

export interface Person {
  id: string;
  name: string;
  email?: string | undefined;
  externalId?: string | undefined;
}

/** The name of a person on screen: their name, else their address, else the id that their back end uses. */
export function personName({ id, name, email, externalId }: Person): string {
  return name || email || (externalId ? externalIdText(externalId) : id);
}

/** Shown below the name to tell apart people of the same name. */
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

/** The ways to sign in that every project has; a sign-in method has its own label. */
export const waysIn = [
  { value: 'password', label: 'E-mail' },
  { value: 'byou', label: 'Your back end' },
] as const;
