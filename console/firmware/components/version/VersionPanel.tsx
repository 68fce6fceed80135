import { Link } from '@tanstack/react-router';
import { useCall } from '#console/core/api.ts';
import { versionFields } from '#console/firmware/components/versionFields.ts';
import { createdFacts } from '#console/firmware/firmwareFacts.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { type ComponentVersion, editComponentVersion } from '#contract/componentVersion.ts';
import css from './version.module.css';

interface VersionPanelProps {
  projectId: string;
  version: ComponentVersion;
  locked: boolean;
}

/** The facts about a version, apart from its file. */
export function VersionPanel({ projectId, version, locked }: VersionPanelProps) {
  const { id: versionId, componentId, componentName, createdBy, createdAt } = version;
  const save = useCall(editComponentVersion);
  return (
    <FieldsPanel
      title="Version"
      locked={locked}
      row={version}
      fields={versionFields}
      facts={[
        [
          'Component',
          <Link
            key="component"
            className={css.link}
            to="/projects/$projectId/components/$componentId"
            params={{ projectId, componentId }}
          >
            {componentName}
          </Link>,
        ],
        'name',
        'securityVersion',
        ...createdFacts({ createdBy, createdAt }),
      ]}
      toForm={({ name, securityVersion }) => ({ name, securityVersion: String(securityVersion) })}
      send={({ name, securityVersion }, ifMatch) => {
        const body = {
          ...(name !== undefined && { name: name.trim() }),
          ...(securityVersion !== undefined && { securityVersion: Number(securityVersion || 0) }),
        };
        return save.mutateAsync({ params: { versionId }, body, ifMatch });
      }}
      saved="Version saved"
    />
  );
}
