import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { neighborhoods as ofConsole } from '#console/order.ts';
import { neighborhoods as ofServer } from '#server/order.ts';
import { type Import, importsOf, isTest, type SourceFile, sourceFiles } from './sourceFiles.ts';

/** From the top down. */
const orders: Readonly<Record<string, readonly string[]>> = {
  server: Object.keys(ofServer),
  console: Object.keys(ofConsole),
};

const parts = Object.entries(orders);
const foldersMax = 14;

/** All files except tests, which may import anything. */
const code = sourceFiles.filter(file => !isTest(file));

/** The neighborhood of a file; undefined for what starts the part, which may import from all of them. */
function neighborhoodOf(path: string): string | undefined {
  const [, folder, ...rest] = path.split('/');
  return rest.length > 0 ? folder : undefined;
}

function isUpwards(order: readonly string[], from: string, to: string): boolean {
  const [there, back] = [neighborhoodOf(from), neighborhoodOf(to)];
  if (there === undefined) return false;
  return back === undefined || order.indexOf(back) < order.indexOf(there);
}

function upwards(file: SourceFile): (Import & { from: string })[] {
  const order = orders[file.part] ?? [];
  return importsOf(file)
    .filter(({ to }) => to?.startsWith(`${file.part}/`) && isUpwards(order, file.path, to))
    .map(found => ({ ...found, from: file.path }));
}

describe.each(parts)('the neighborhoods of the %s', (part, order) => {
  it('are its folders, and few enough to see at once', () => {
    const folders = readdirSync(part, { withFileTypes: true }).filter(entry => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(order.toSorted());
    expect(folders.length).toBeLessThanOrEqual(foldersMax);
  });

  it('import only from those below them, not even types from above', () => {
    const files = code.filter(file => file.part === part);
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(upwards).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

it('an import from above is recognized, also of a type or of what starts the part', () => {
  const of = (path: string, text: string): SourceFile => ({ path, part: path.split('/')[0] ?? '', text });
  const wrong: [string, string][] = [
    ['server/infra/a.ts', "import type { B } from '#server/api/b.ts';"],
    ['server/mail/a/a.ts', "import { b } from '#server/doors/b/b.ts';"],
    ['server/doors/a.ts', "import { slices } from '#server/slices.ts';"],
    ['console/ui/a.tsx', "const b = await import('#console/devices/b.tsx');"],
  ];
  for (const [path, text] of wrong) expect(upwards(of(path, text)), text).toHaveLength(1);
  expect(upwards(of('server/doors/a.ts', "import { b } from '#server/infra/b.ts';"))).toEqual([]);
});

/** The room of a file: its folder in a neighborhood, or the file itself if it stands directly in one. */
const roomOf = (path: string) => path.split('/').slice(0, 3).join('/');

type Rooms = Map<string, Map<string, string>>;

/** Which rooms import values from which other rooms of their neighborhood, and in which files. */
function roomsOf(files: readonly SourceFile[]): Rooms {
  const rooms: Rooms = new Map();
  for (const file of files) {
    for (const { to, isValue } of importsOf(file)) {
      const isNear = to?.startsWith(`${file.part}/`) && neighborhoodOf(to) === neighborhoodOf(file.path);
      if (!to || !isNear || !isValue || roomOf(to) === roomOf(file.path)) continue;
      const others = rooms.get(roomOf(file.path)) ?? new Map<string, string>();
      rooms.set(roomOf(file.path), others.set(roomOf(to), `${file.path} → ${to}`));
    }
  }
  return rooms;
}

/** A circle from a room back to itself, as the list of imports; undefined if there is none. */
function wayBack(rooms: Rooms, start: string): string[] | undefined {
  const seen = new Set<string>();
  const walk = (room: string): string[] | undefined => {
    for (const [next, why] of rooms.get(room) ?? []) {
      if (next === start) return [why];
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = walk(next);
      if (rest) return [why, ...rest];
    }
    return undefined;
  };
  return walk(start);
}

describe('the rooms of a neighborhood', () => {
  it.each(parts)('of the %s import no values in a circle', part => {
    const rooms = roomsOf(code.filter(file => file.part === part));
    expect(rooms.size).toBeGreaterThan(50);
    expect([...rooms.keys()].map(room => wayBack(rooms, room)).filter(Boolean)).toEqual([]);
  });

  it('have circles that this test recognizes, unless they consist only of types', () => {
    const of = (path: string, text: string): SourceFile => ({ path, part: 'server', text });
    const there = of('server/api/a/a.ts', "import { b } from '#server/api/b/b.ts';");
    const back = of('server/api/b/b.ts', "import { type A, a } from '#server/api/a/a.ts';");
    const types = of('server/api/b/b.ts', "import { type A } from '#server/api/a/a.ts';");
    expect(wayBack(roomsOf([there, back]), 'server/api/a')).toHaveLength(2);
    expect(wayBack(roomsOf([there, types]), 'server/api/a')).toBeUndefined();
  });
});
