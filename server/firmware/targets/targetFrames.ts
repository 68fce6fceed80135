import type { Consent } from '#contract/deviceFirmware.ts';
import type { TargetFrame } from '#contract/deviceProtocol.ts';
import { dayMs } from '#rules/time/durations.ts';
import { deltasFor, type OfferedDelta } from '#server/firmware/deltas/deltaStore.ts';
import { type Db, sql } from '#server/infra/db/sql.ts';
import type { Platform } from '#server/infra/platform.ts';
import { proofOf } from './targetKey.ts';

/** How long the links and the proof of a target are valid. */
const validMs = dayMs;

type Component = Omit<TargetFrame['components'][number], 'url' | 'delta'> & { versionId: string };
type Told = Component & { delta?: Omit<Delta, 'url'> };
type Delta = NonNullable<TargetFrame['components'][number]['delta']>;

/** What a device is told, without the parts that are created for each delivery. */
export interface Target {
  projectId: string;
  deviceId: string;
  deviceClass: string;
  sequence: number;
  bundleId: string;
  /** Changes when the device has to be told again. */
  mark: string;
  components: readonly Told[];
  consent: Consent | null;
}

/** The total size of the deltas of a target; undefined: it has none. */
export function deltaBytesOf({ components }: Pick<Target, 'components'>): number | undefined {
  const sizes = components.flatMap(({ delta }) => delta?.size ?? []);
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0);
}

interface Who {
  projectId: string;
  id: string;
}

/**
 * The targets of these devices, in their order. Undefined for a device without a bundle, and for one that failed with
 * the bundle before this target was offered: it would only try again.
 */
export async function targetsOf(db: Db, devices: readonly Who[]): Promise<(Target | undefined)[]> {
  const rows = await db.many<Omit<Target, 'components'> & { takesDeltas: boolean }>(sql`
    select t.project_id as "projectId", t.device_id as "deviceId", t.device_class as "deviceClass", t.sequence,
      t.bundle_id as "bundleId", concat_ws(' ', t.sequence, t.issue, t.consent ->> 'at') as mark,
      t.consent, k.sends_deltas and t.attempts = 0 as "takesDeltas"
    from unnest(${devices.map(({ projectId }) => projectId)}::text[], ${devices.map(({ id }) => id)}::text[])
      as asked (project_id, id)
    join device_targets t on t.project_id = asked.project_id and t.device_id = asked.id
    join device_classes k on k.project_id = t.project_id and k.id = t.device_class
    where t.bundle_id is not null and not (t.state = 'failed' and t.offered_at is null and t.retry_at is null)`);
  const contents = await contentsOf(db, rows);
  const deltas = await deltasFor(
    db,
    rows.filter(({ takesDeltas }) => takesDeltas),
  );
  const byDevice = new Map(
    rows.map(({ takesDeltas: _, ...row }) => {
      const components = contents.get(keyOf(row)) ?? [];
      return [row.deviceId, withDeltas({ ...row, components }, deltas.get(row.deviceId))];
    }),
  );
  return devices.map(({ id }) => byDevice.get(id));
}

/** After the first failure that a wrong file may have caused, only whole files are offered: see `takesDeltas`. */
function withDeltas(target: Target, deltas: readonly OfferedDelta[] | undefined): Target {
  if (!deltas) return target;
  const components = target.components.map(one => {
    const found = deltas.find(({ versionId }) => versionId === one.versionId);
    if (!found) return one;
    const { versionId: _, ...delta } = found;
    return { ...one, delta: { ...delta, format: 'zstd-patch' as const } };
  });
  return { ...target, components, mark: [target.mark, ...deltas.map(({ sha256 }) => sha256)].join(' ') };
}

const keyOf = ({ projectId, bundleId }: Pick<Target, 'projectId' | 'bundleId'>) => `${projectId} ${bundleId}`;

/** Most devices of a batch should run the same bundle, so each bundle is read once. */
async function contentsOf(
  db: Db,
  targets: readonly Pick<Target, 'projectId' | 'bundleId'>[],
): Promise<Map<string, Component[]>> {
  const bundles = [...new Map(targets.map(one => [keyOf(one), one])).values()];
  if (bundles.length === 0) return new Map();
  const rows = await db.many<
    Component & { projectId: string; bundleId: string; signature: Component['signature'] | null }
  >(sql`
    select asked.project_id as "projectId", asked.bundle_id as "bundleId", c.name as component, v.name as version,
      v.id as "versionId", v.size_bytes::float8 as size, v.sha256, v.security_version as "securityVersion", v.signature
    from unnest(${bundles.map(({ projectId }) => projectId)}::text[],
      ${bundles.map(({ bundleId }) => bundleId)}::text[]) as asked (project_id, bundle_id)
    join bundle_components i on i.project_id = asked.project_id and i.bundle_id = asked.bundle_id
    join component_versions v on v.project_id = i.project_id and v.id = i.version_id
    join components c on c.project_id = i.project_id and c.id = i.component_id
    where v.state = 'ready'
    order by c.name`);
  const byBundle = Map.groupBy(rows, keyOf);
  return new Map(
    [...byBundle].map(([key, of]) => [
      key,
      of.map(({ projectId: _, bundleId: __, signature, ...one }) => ({
        ...one,
        ...(signature && { signature }),
      })),
    ]),
  );
}

/** The link to a version, or to the delta from this file, valid until then. */
type LinkTo = (
  about: { projectId: string; versionId: string; deviceId: string; from?: string },
  until: Date,
) => string;

/** A target for one delivery: with links and a proof that are valid for a day. */
export function frameOf(
  { sealing, clock }: Pick<Platform, 'sealing' | 'clock'>,
  { projectId, deviceId, deviceClass, sequence, bundleId, components, consent }: Target,
  linkTo: LinkTo,
): TargetFrame {
  const from = clock();
  const until = new Date(from.getTime() + validMs);
  const frame = {
    sequence,
    bundleId,
    deviceClass,
    components: components.map(({ versionId, delta, ...one }) => {
      const about = { projectId, versionId, deviceId };
      const linked = delta && { ...delta, url: linkTo({ ...about, from: delta.from }, until) };
      return { ...one, url: linkTo(about, until), ...(linked && { delta: linked }) };
    }),
  };
  const { answer, until: notBefore } = consent ?? {};
  const isOpen = notBefore === undefined || new Date(notBefore) > from;
  const answered = answer && isOpen && { answer, ...(notBefore !== undefined && { until: notBefore }) };
  return {
    ...frame,
    ...(answered && { consent: answered }),
    proof: proofOf(sealing, { deviceId, ...frame }, { from, until }),
  };
}
