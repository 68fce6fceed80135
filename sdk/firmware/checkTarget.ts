import type { InstalledFrame } from '#contract/deviceFrames.ts';
import type { Target, TargetComponent } from '#sdk/frames.ts';
import { checkProof, checkSignature, type Trust } from './trust.ts';
import { UpdateFault } from './updateFault.ts';
import type { UpdateMemory } from './updateMemory.ts';

export interface Checks {
  deviceId: string;
  deviceClass?: string | undefined;
  trust?: Trust | undefined;
  now: Date;
}

/** Checks a target before anything is downloaded. Throws the reason if the device refuses it. */
export async function checkTarget(target: Target, memory: UpdateMemory, checks: Checks): Promise<void> {
  const { deviceClass, trust } = checks;
  if (!target.components.every(isComponent) || !Number.isInteger(target.sequence))
    throw new UpdateFault('manifest_invalid', 'The target does not have the expected shape.');
  if (deviceClass !== undefined && target.deviceClass !== deviceClass)
    throw new UpdateFault('wrong_class', `The target is for devices of class ${target.deviceClass}.`);
  if (trust) {
    await checkProof(target, trust, checks);
    if (trust.platformKey && target.sequence < memory.sequence)
      throw new UpdateFault('manifest_invalid', 'The target is older than the last one that was installed.');
    for (const component of target.components) await checkSignature(component, trust);
  }
  for (const { component, version, securityVersion = 0 } of target.components)
    if (securityVersion < (memory.securityVersions[component] ?? 0))
      throw new UpdateFault(
        'downgrade_refused',
        `${component} ${version} has a lower security version than the one that ran before.`,
      );
}

/** Whether the platform's signature has expired. */
export function isExpired({ proof }: Target, now: Date): boolean {
  return proof !== undefined && new Date(proof.expiresAt) <= now;
}

/** The components that differ from the installed ones: by checksum, or by version if no checksum is known. */
export function differing(target: Target, installed: InstalledFrame): TargetComponent[] {
  return target.components.filter(({ component, version, sha256 }) => {
    const runs = installed.components.find(one => one.component === component);
    return (
      !runs || runs.version !== version || (runs.sha256 ?? sha256).toLowerCase() !== sha256.toLowerCase()
    );
  });
}

/** Whether the delta applies to the installed file, and is small enough to be held in memory beside it. */
export function hasDelta({ component, size, delta }: TargetComponent, installed: InstalledFrame): boolean {
  if (delta?.format !== 'zstd-patch' || typeof delta.url !== 'string') return false;
  const runs = installed.components.find(one => one.component === component)?.sha256;
  return runs?.toLowerCase() === delta.from.toLowerCase() && delta.size > 0 && delta.size <= size;
}

function isComponent(one: TargetComponent): boolean {
  const { component, version, url, delta } = one;
  const texts = [component, version, url].every(text => typeof text === 'string');
  return texts && isFile(one) && (delta === undefined || (isFile(delta) && isChecksum(delta.from)));
}

function isFile({ size, sha256 }: { size: number; sha256: string }): boolean {
  return Number.isSafeInteger(size) && size >= 0 && isChecksum(sha256);
}

function isChecksum(text: string): boolean {
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text);
}
