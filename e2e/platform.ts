import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '#test/place.ts';
import { freePort, type ServerProcess, startMooring } from '#test/serverProcess.ts';

type AtEnd = (end: () => unknown) => void;

/** What the first caller of a worker makes, for all of its tests. */
export type Once = <T>(name: string, make: (atEnd: AtEnd) => Promise<T>) => Promise<T>;

/** A platform of the journeys. */
export async function startPlatform(sampleProject: 'on' | 'off', atEnd: AtEnd): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(place, 'mooring-e2e-'));
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = String(await freePort());
  const server = await startMooring({
    DATA_DIR: dataDir,
    PORT: port,
    // The host that the browser uses: a provider redirects back to it, and cookies are only valid for this host.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    MQTT_PORT: '0',
    SAMPLE_PROJECT: sampleProject,
  });
  atEnd(() => server.stop());
  return server;
}

/**
 * The fixture behind `once`. Playwright gives tests with different fixtures or options of a worker to different workers,
 * of which each loads all code, a browser and a platform again; so this is the only one, and lists nothing in advance.
 */
export async function onceForWorker(
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from its first parameter
  {}: object,
  use: (once: Once) => Promise<void>,
): Promise<void> {
  const made = new Map<string, Promise<unknown>>();
  const ends: (() => unknown)[] = [];
  await use(<T>(name: string, make: (atEnd: AtEnd) => Promise<T>) => {
    const known = made.get(name) ?? make(end => ends.push(end));
    made.set(name, known);
    return known as Promise<T>;
  });
  for (const end of ends.reverse()) await end();
}
