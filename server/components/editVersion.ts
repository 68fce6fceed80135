import { isDeepStrictEqual } from 'node:util';
import type { Component } from '#contract/component.ts';
import type { ComponentVersion, editComponentVersion } from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { isSignedBy } from './checkSignature.ts';
import { updateVersion } from './versionStore.ts';
import { bundlesWith } from './versionUse.ts';

type Edit = BodyOf<typeof editComponentVersion>;

/** Once a bundle contains a version, devices may have been told of it: what they were told stays. */
const fixed = ['name', 'securityVersion', 'signature'] as const;

export async function editVersion(db: Db, row: ComponentVersion, edit: Edit): Promise<void> {
  const changed = fixed.filter(
    name => edit[name] !== undefined && !isDeepStrictEqual(edit[name] ?? undefined, row[name]),
  );
  if (changed.length > 0) {
    const { projectId, id: versionId } = row;
    const bundles = await bundlesWith(db, { projectId, versionId });
    if (bundles.length > 0) {
      const fields = Object.fromEntries(changed.map(name => [name, 'NAME_IN_USE' as const]));
      const message = changed.includes('name')
        ? undefined
        : 'A bundle contains this version, so only its config schema can change.';
      throw new Problem('NAME_IN_USE', { fields, context: { bundles }, ...(message && { message }) });
    }
    await checkStillSigned(db, row, edit);
  }
  await updateVersion(db, row, edit);
}

/** The file of a version that is ready was verified with what would change. */
async function checkStillSigned(db: Db, row: ComponentVersion, edit: Edit): Promise<void> {
  const { checksum, sizeBytes } = row;
  if (checksum === undefined || sizeBytes === undefined) return;
  const keys = await signingKeysOf(db, row);
  const signature = edit.signature === undefined ? row.signature : (edit.signature ?? undefined);
  if (keys.length === 0 && !signature) return;
  const signed = {
    project: row.projectId,
    component: row.componentName,
    version: edit.name ?? row.name,
    securityVersion: edit.securityVersion ?? row.securityVersion,
    ...{ size: sizeBytes, sha256: checksum },
  };
  if (!isSignedBy(keys, signature, signed)) throw new Problem('SIGNATURE_INVALID');
}

export async function signingKeysOf(
  db: Db,
  { projectId, componentId }: Pick<ComponentVersion, 'projectId' | 'componentId'>,
): Promise<Component['signingKeys']> {
  const found = await db.one<{ keys: Component['signingKeys'] }>(sql`
    select signing_keys as keys from components where project_id = ${projectId} and id = ${componentId}`);
  return found?.keys ?? [];
}
