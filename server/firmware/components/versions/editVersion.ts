import { isDeepStrictEqual } from 'node:util';
import type { ComponentVersion, editComponentVersion } from '#contract/componentVersion.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { Problem } from '#contract/problem.ts';
import { faultOfSignature } from '#server/firmware/components/checkSignature.ts';
import type { Db } from '#server/infra/db/sql.ts';
import { updateVersion } from './versionStore.ts';
import { bundlesWith } from './versionUse.ts';

type Edit = BodyOf<typeof editComponentVersion>;

/** Once a bundle contains a version, devices may know these fields, so they can no longer change. */
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

/** The file of a ready version was verified with these fields, so its signature must still be valid. */
async function checkStillSigned(db: Db, row: ComponentVersion, edit: Edit): Promise<void> {
  const { checksum: sha256, sizeBytes: size } = row;
  if (sha256 === undefined || size === undefined) return;
  const { name = row.name, securityVersion = row.securityVersion, signature = row.signature } = edit;
  const version = { ...row, name, securityVersion, signature: signature ?? undefined };
  const message = await faultOfSignature(db, version, { size, sha256 });
  if (message)
    throw new Problem('SIGNATURE_INVALID', { message, fields: { signature: 'SIGNATURE_INVALID' } });
}
