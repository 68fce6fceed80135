import type { Bundle } from '#contract/bundle.ts';
import type { Component } from '#contract/component.ts';

export interface Choice {
  component: Pick<Component, 'id' | 'name'>;
  versions: readonly { id: string; name: string }[];
}

/** The initial values of a new bundle. */
export interface Draft {
  name: string;
  description: string;
  deviceClass: string | undefined;
  /** The version of each component, by its id. */
  chosen: Readonly<Record<string, string>>;
  /** Components of the copied bundle whose version can no longer be chosen. */
  missing: readonly string[];
}

/** What can be put into a bundle: components that have a version with a verified file. */
export function choicesOf(components: readonly Component[], from?: Bundle): Choice[] {
  return components
    .map(component => ({ component, versions: usableOf(component, from) }))
    .filter(({ versions }) => versions.length > 0);
}

export function draftOf(choices: readonly Choice[], from?: Bundle): Draft {
  if (!from) return { name: '', description: '', deviceClass: undefined, chosen: {}, missing: [] };
  const chosen: Record<string, string> = {};
  const missing: string[] = [];
  for (const { componentId, componentName, versionId, versionName } of from.components) {
    const choice = choices.find(({ component }) => component.id === componentId);
    if (choice?.versions.some(({ id }) => id === versionId)) chosen[componentId] = versionId;
    else missing.push(`${componentName} ${versionName}`);
  }
  return {
    name: copied(from.name),
    description: from.description && copied(from.description),
    deviceClass: from.deviceClass,
    chosen,
    missing,
  };
}

const copied = (text: string) => `${text} (copy)`;

/** A component with very many versions lists only the newest; a version in the copied bundle is known to be ready. */
function usableOf({ id, versions, versionCount }: Component, from?: Bundle): Choice['versions'] {
  const ready = versions.filter(({ state }) => state === 'ready').map(({ id, name }) => ({ id, name }));
  const old = from?.components.find(({ componentId }) => componentId === id);
  const isUnnamed = old && versionCount > versions.length && !versions.some(one => one.id === old.versionId);
  return isUnnamed ? [...ready, { id: old.versionId, name: old.versionName }] : ready;
}
