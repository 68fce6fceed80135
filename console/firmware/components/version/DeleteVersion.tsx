import { useRead } from '#console/core/api.ts';
import { DeleteUnused } from '#console/firmware/DeleteUnused.tsx';
import { UsedByBundles } from '#console/firmware/UsedByBundles.tsx';
import { type ComponentVersion, deleteComponentVersion, readVersionUse } from '#contract/componentVersion.ts';

interface DeleteVersionProps {
  projectId: string;
  version: ComponentVersion;
  onClose: () => void;
}

export function DeleteVersion({ projectId, version, onClose }: DeleteVersionProps) {
  const { id: versionId, componentId, componentName, name, filename } = version;
  const { data: use } = useRead(readVersionUse, { params: { versionId } });
  return (
    <DeleteUnused
      noun="version"
      name={`${componentName} ${name}`}
      endpoint={deleteComponentVersion}
      input={{ params: { versionId } }}
      leaveTo={{ to: '/projects/$projectId/components/$componentId', params: { projectId, componentId } }}
      use={use && use.bundles.length > 0 ? use : undefined}
      usedBy={({ bundles }: { bundles?: { id: string; name: string }[] }) => (
        <UsedByBundles projectId={projectId} bundles={bundles} />
      )}
      onClose={onClose}
    >
      <p>
        Do you really want to delete version{' '}
        <b dir="auto">
          {componentName} {name}
        </b>
        ?
      </p>
      {filename && <p>Its file is deleted with it.</p>}
    </DeleteUnused>
  );
}
