import { isObject } from './configSchema.ts';

export type Path = readonly (string | number)[];

export const pointerOf = (path: Path): string =>
  path.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (Array.isArray(inner)) return inner[Number(part)];
    return isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined;
  }, value);
}

/** A copy of the value with `next` at the path; undefined removes the property. */
export function withValueAt(value: unknown, [part, ...rest]: Path, next: unknown): unknown {
  if (part === undefined) return next;
  if (Array.isArray(value) || (typeof part === 'number' && value === undefined)) {
    const list = Array.isArray(value) ? value : [];
    return list.map((item, at) => (at === Number(part) ? withValueAt(item, rest, next) : item));
  }
  const object = isObject(value) ? value : {};
  const inner = withValueAt(Object.hasOwn(object, part) ? object[part] : undefined, rest, next);
  if (inner !== undefined) return { ...object, [part]: inner };
  const { [part]: _, ...others } = object;
  return others;
}
