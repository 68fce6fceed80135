import { numberText } from '#rules/text/numberText.ts';

/** "1 device", "12,408 devices" */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

const units = ['bytes', 'KiB', 'MiB', 'GiB'];

/** "384 MiB": firmware files are split at powers of two, so their sizes use binary units. */
export function binarySize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** power;
  // "8 MiB" and "1 byte", but "6.1 MiB".
  const figure = power === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${numberText(figure)} ${power === 0 && figure === 1 ? 'byte' : units[power]}`;
}
