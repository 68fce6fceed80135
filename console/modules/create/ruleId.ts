import { idMax } from '#rules/chosenId.ts';

/** The id of a rule by its name: "Warn of frost" → "warn-of-frost". Empty if the name has no letters or digits. */
export function ruleIdOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const id = plain.replaceAll(/[^a-z0-9]+/g, '-').slice(0, idMax);
  return id.replaceAll(/^-+|-+$/g, '');
}
