import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { normalizePath, type Plugin } from 'vite';
import type { Endpoint } from '../contract/endpoint.ts';

/** As Vite writes paths, on all systems. */
const contractFolder = normalizePath(join(import.meta.dirname, '../contract'));

/**
 * Provides the contract to the browser as plain data. Modules of `contract/` that declare shapes are run here, in Node,
 * and replaced by their exports as JSON, so that the schema library (23 kB) never reaches a browser; the types still
 * come from the source. Importing an export that is not plain data fails the build.
 */
export function contractAsData(): Plugin {
  return {
    name: 'contract-as-data',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id;
      if (!file.startsWith(contractFolder) || !file.endsWith('.ts')) return;
      const source = await readFile(file, 'utf8');
      if (!source.includes("from 'zod'")) return;
      // The modification time makes Node reload the module if it was edited while the dev server runs.
      const { mtimeMs } = await stat(file);
      const exported: Record<string, unknown> = await import(`${pathToFileURL(file)}?t=${mtimeMs}`);
      return { code: Object.entries(exported).flatMap(asData).join('\n'), moduleType: 'js' };
    },
    /** A module that was overlooked would work, so nobody would notice. */
    generateBundle() {
      const found = [...this.getModuleIds()].find(id => id.includes('/node_modules/zod/'));
      if (found) this.error(`The schema library reaches the browser: ${found}`);
    },
  };
}

function asData([name, value]: [string, unknown]): string[] {
  const data = isEndpoint(value) ? endpointData(value) : value;
  return isPlain(data) ? [`export const ${name} = ${JSON.stringify(data)};`] : [];
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

/** The data that a call needs at run time, without false and absent values. */
function endpointData({ name, method, path, access, list, makesOld, notForSudo, form, raw }: Endpoint) {
  return {
    name,
    method,
    path,
    access,
    ...(list && { list }),
    ...(makesOld && { makesOld }),
    ...(notForSudo && { notForSudo }),
    ...(form && { form }),
    ...(raw && { raw }),
  };
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}
