import { type Person, personOfAddress } from '#server/api/logs/entryNames.ts';
import type { Call } from './route.ts';

// Finds the names and addresses of end users in a call, because its audit entry contains them in sentence and details.

/** Calls about end users; in other calls, an address belongs to a developer. */
const aboutUsers = /^\/(users|homes|alerts|devices\/:deviceId\/home)\b|\/externalUsers\b/;
/** A sentence truncates a value to this length. */
const inSentenceMax = 200;
const depthMax = 6;

export function namedPeople(call: Call, answer: unknown): Person[] {
  const { app, endUser, about, endpoint, projectId } = call;
  if (!projectId || !(app || aboutUsers.test(endpoint.path))) return [];
  const people: Person[] = [];
  const add = (person: string | undefined, values: readonly unknown[]) => {
    const texts = values.filter(value => typeof value === 'string' && value !== '') as string[];
    const address = texts.find(text => text.includes('@'));
    const named = person || (address && personOfAddress(projectId, address));
    if (named) people.push({ person: named, values: texts.flatMap(alsoCut) });
    // If another user has the address later, erasing that user also erases it here.
    if (person && address) people.push({ person: personOfAddress(projectId, address), values: [] });
  };
  if (endUser) add(endUser.id, [endUser.name, endUser.email]);
  if (app && about) add(about.userId, [about.displayName, ...Object.values(about.fields ?? {})]);
  add(undefined, Object.values(call.params as object).filter(isAddress));
  for (const source of [call.before, call.body, endpoint.raw ? undefined : answer])
    walk(source, add, depthMax);
  return people;
}

function walk(
  value: unknown,
  add: (person: string | undefined, values: readonly unknown[]) => void,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const fields = value as Record<string, unknown>;
  const id = [fields.id, fields.userId].find(one => typeof one === 'string' && one.startsWith('usr_'));
  if (id !== undefined || isAddress(fields.email)) {
    const { name, displayName, email, newEmail, externalId } = fields;
    add(id as string | undefined, [email, newEmail, name, displayName, isAddress(externalId) && externalId]);
  }
  for (const inner of Object.values(fields)) walk(inner, add, depth - 1);
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && value.includes('@');

const alsoCut = (text: string) =>
  text.length > inSentenceMax ? [text, text.slice(0, inSentenceMax)] : [text];
