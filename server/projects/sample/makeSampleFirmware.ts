import { defaultChannel } from '#contract/channel.ts';
import type { InstalledFrame } from '#contract/deviceProtocol.ts';
import type { SampleNeeds } from '#server/api/slice.ts';
import { insertBundle } from '#server/firmware/bundles/store.ts';
import { insertChannels } from '#server/firmware/channels/insertChannels.ts';
import { insertComponent } from '#server/firmware/components/store.ts';
import { setVersionState } from '#server/firmware/components/uploadStore.ts';
import { insertVersion } from '#server/firmware/components/versions/versionStore.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { enqueue } from '#server/infra/jobs/enqueue.ts';
import { hoursAgo } from './makeSamplePast.ts';
import { sampleMadeHoursAgo } from './sampleDevices.ts';

/** Oldest first. Devices run the first release, and the second waits to be rolled out. */
const releases = [
  {
    version: '1.4.0',
    hoursAgo: sampleMadeHoursAgo,
    bundle: 'autumn',
    description: 'What the thermostats run. Measures every minute.',
  },
  {
    version: '1.5.0',
    hoursAgo: 20,
    bundle: 'winter',
    description: 'Learns when the heating has to start. Not rolled out yet: try it.',
  },
];
const by = { id: 'mooring', name: 'Mooring' };
const deviceClass = 'thermostat';
const component = 'thermostat';

/**
 * Creates a component for the thermostats, with two versions and a bundle of each, and returns what the devices report
 * as installed. A job stores the files, so that a sign-up does not wait for a bucket.
 */
export async function makeSampleFirmware(
  db: Db,
  { newId }: Pick<SampleNeeds, 'newId'>,
  { projectId, now }: { projectId: string; now: Date },
): Promise<{ deviceClass: string; installed: InstalledFrame & { bundleId: string } }> {
  const madeAt = hoursAgo(now, sampleMadeHoursAgo);
  const componentId = newId('cmp', madeAt);
  const description = 'The application on the thermostat’s controller';
  await insertComponent(db, { projectId, id: componentId, name: component, description, now: madeAt });
  const bundles: string[] = [];
  for (const release of releases) {
    const at = hoursAgo(now, release.hoursAgo);
    const versionId = newId('ver', at);
    const given = { deviceConfigSchema: undefined, securityVersion: undefined, by, now: at };
    await insertVersion(db, { projectId, id: versionId, componentId, name: release.version, ...given });
    await setVersionState(db, { projectId, versionId }, { state: 'verifying' });
    await enqueue(db, 'storeSampleFile', { projectId, versionId, version: release.version });
    const id = newId('bnd', at);
    const bundle = { name: release.bundle, description: release.description, deviceClass };
    await insertBundle(db, { projectId, id, ...bundle, versionIds: [versionId], by, now: at });
    bundles.push(id);
  }
  const [installed = '', next = ''] = bundles;
  const stable = { id: newId('chn', madeAt), deviceClass, name: defaultChannel, bundleId: installed };
  await insertChannels(db, projectId, [stable], madeAt);
  const nextAt = hoursAgo(now, releases.at(-1)?.hoursAgo ?? 0);
  const beta = { id: newId('chn', nextAt), deviceClass, name: 'beta', bundleId: next };
  await insertChannels(db, projectId, [{ ...beta, description: 'For devices that go first' }], nextAt);
  const version = releases[0]?.version ?? '';
  return { deviceClass, installed: { bundleId: installed, components: [{ component, version }] } };
}
