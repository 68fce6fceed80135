import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { LogEntry } from '#contract/log.ts';

// Personal data in a sealed log. An entry lists the names and addresses of end users that occur in it, each with a salt.
// Its seal is over the entry with a marker in the place of each: the digest of the name, keyed by the salt. To erase
// a name, the marker is written into the entry and the salt is forgotten. What was sealed stays what it was, so that the
// chain holds, and nobody can tell from the digest which name it was.

/** Somebody named in an entry. */
export interface Person {
  /** The id of the user; else the digest of their address, see `personOfAddress`. */
  person: string;
  values: readonly string[];
}

/** A name that occurs in an entry, as it is stored with it. */
export interface Name {
  of: string;
  value: string;
  salt: string;
}

/** The parts of an entry that a name can occur in. */
export interface Worded extends Pick<LogEntry, 'actor' | 'text'> {
  detail?: Record<string, unknown>;
}

/** The address itself would have to be erased as well. */
export function personOfAddress(projectId: string, address: string): string {
  return createHash('sha256').update(`${projectId} ${address.toLowerCase()}`).digest('base64url');
}

/** Names with a salt each, the longest first: one name can be part of another. */
export function salted(people: readonly Person[]): Name[] {
  const all = people.flatMap(({ person, values }) =>
    values.map(value => ({ of: person, value: plainText(value).trim() })),
  );
  const each = new Map(all.filter(({ value }) => value !== '').map(one => [`${one.of} ${one.value}`, one]));
  return [...each.values()]
    .sort((a, b) => b.value.length - a.value.length)
    .map(one => ({ ...one, salt: randomBytes(16).toString('base64url') }));
}

/** The entry with markers for these names. The others are given as well, because they settle what belongs to which. */
export function withMarkers(
  entry: Worded,
  names: readonly Name[],
  isMarked: (name: Name) => boolean,
): Worded {
  if (names.length === 0) return entry;
  const either = names.map(({ value }) => `(${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`).join('|');
  const found = new RegExp(`${marker.source}|${notAfterWord}(?:${either})${notBeforeWord}`, 'giu');
  return mapText(entry, text =>
    text.replace(found, (match: string, ...groups: (string | undefined)[]) => {
      const name = names[groups.slice(0, names.length).findIndex(group => group !== undefined)];
      return name && isMarked(name) ? markerOf(match, name.salt) : match;
    }),
  );
}

/** An entry without the brackets of markers, so that nobody can call themselves by one. */
export const plain = (entry: Worded): Worded => mapText(entry, plainText);

const plainText = (text: string) => text.replace(/[⟦⟪]/g, '[').replace(/[⟧⟫]/g, ']');

/** The entry as it is shown. */
export const withoutMarkers = (entry: Worded): Worded =>
  mapText(entry, text => text.replace(marker, erasedName));

/** What is shown where a name was erased. */
export const erasedName = '[erased]';
const marker = /[⟦⟪]name [\w-]{43}[⟧⟫]/giu;

/** Its brackets tell whether a letter or digit stood there, so that what is next to it is seen as before. */
function markerOf(value: string, salt: string): string {
  const digest = createHmac('sha256', salt).update(value).digest('base64url');
  return `${startsWord.test(value) ? '⟦' : '⟪'}name ${digest}${endsWord.test(value) ? '⟧' : '⟫'}`;
}

const startsWord = /^[\p{L}\p{N}_]/u;
const endsWord = /[\p{L}\p{N}_]$/u;

// A name is not found within a longer word.
const notAfterWord = '(?<![\\p{L}\\p{N}_⟧])';
const notBeforeWord = '(?![\\p{L}\\p{N}_⟦])';

function mapText({ actor, text, detail }: Worded, map: (text: string) => string): Worded {
  return {
    actor: { ...actor, displayName: map(actor.displayName) },
    text: map(text),
    ...(detail && { detail: mapValue(detail, map) as Record<string, unknown> }),
  };
}

/** Ids stay what they are. */
function mapValue(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map(one => mapValue(one, map));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    isId(name) ? inner : mapValue(inner, map),
  ]);
  return Object.fromEntries(fields);
}

const isId = (field: string) => field === 'id' || /(Id|Ids)$/.test(field);
