import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { LogEntry } from '#contract/log.ts';

// Personal data in a sealed log. An entry lists the names and addresses of end users that occur in it, each with a
// salt. Its seal covers the entry with a marker in place of each name: the digest of the name, keyed by the salt. To
// erase a name, the marker is written into the entry and the salt is deleted. The sealed form stays the same, so the
// chain stays valid, and nobody can tell from the digest which name it was.

/** A person named in an entry. */
export interface Person {
  /** The id of the user; otherwise the digest of the address, see `personOfAddress`. */
  person: string;
  values: readonly string[];
}

/** A name that occurs in an entry, as stored with the entry. */
export interface Name {
  of: string;
  value: string;
  salt: string;
}

/** The parts of an entry that can contain a name. */
export interface Worded extends Pick<LogEntry, 'actor' | 'text'> {
  detail?: Record<string, unknown>;
}

/** A digest, because the address itself would have to be erased as well. */
export function personOfAddress(projectId: string, address: string): string {
  return createHash('sha256').update(`${projectId} ${address.toLowerCase()}`).digest('base64url');
}

/** Adds a salt to each name. The longest come first, because one name can be part of another. */
export function salted(people: readonly Person[]): Name[] {
  const all = people.flatMap(({ person, values }) =>
    values.map(value => ({ of: person, value: plainText(value).trim() })),
  );
  const each = new Map(all.filter(({ value }) => value !== '').map(one => [`${one.of} ${one.value}`, one]));
  return [...each.values()]
    .sort((a, b) => b.value.length - a.value.length)
    .map(one => ({ ...one, salt: randomBytes(16).toString('base64url') }));
}

/**
 * The entry with markers for these names. Takes the other names as well, because they decide which name a match belongs
 * to.
 */
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

/** Replaces the brackets of markers, so that nobody can use a marker as a name. */
export const plain = (entry: Worded): Worded => mapText(entry, plainText);

const plainText = (text: string) => text.replace(/[⟦⟪]/g, '[').replace(/[⟧⟫]/g, ']');

/** The entry as shown, with erased names replaced. */
export const withoutMarkers = (entry: Worded): Worded =>
  mapText(entry, text => text.replace(marker, erasedName));

/** Shown in place of an erased name. */
export const erasedName = '[erased]';
const marker = /[⟦⟪]name [\w-]{43}[⟧⟫]/giu;

/**
 * The kind of bracket tells whether a letter or digit stood there, so that word boundaries next to the marker stay the
 * same.
 */
function markerOf(value: string, salt: string): string {
  const digest = createHmac('sha256', salt).update(value).digest('base64url');
  return `${startsWord.test(value) ? '⟦' : '⟪'}name ${digest}${endsWord.test(value) ? '⟧' : '⟫'}`;
}

const startsWord = /^[\p{L}\p{N}_]/u;
const endsWord = /[\p{L}\p{N}_]$/u;

// A name is not matched within a longer word.
const notAfterWord = '(?<![\\p{L}\\p{N}_⟧])';
const notBeforeWord = '(?![\\p{L}\\p{N}_⟦])';

function mapText({ actor, text, detail }: Worded, map: (text: string) => string): Worded {
  return {
    actor: { ...actor, displayName: map(actor.displayName) },
    text: map(text),
    ...(detail && { detail: mapValue(detail, map) as Record<string, unknown> }),
  };
}

/** Ids are not changed. */
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
