import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { refetchAfterMs } from '#console/firmware/components/upload/uploads.ts';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { readComponent } from '#contract/component.ts';
import {
  type ComponentVersion,
  deleteComponentVersion,
  editComponentVersion,
  readComponentVersion,
} from '#contract/componentVersion.ts';
import { ConfigSchemaPanel } from './ConfigSchemaPanel.tsx';
import { DeleteVersion } from './DeleteVersion.tsx';
import { FileSection } from './FileSection.tsx';
import { NextForVersion } from './NextForVersion.tsx';
import { OtherVersions } from './OtherVersions.tsx';
import { UploadActions } from './UploadActions.tsx';
import { UploadPill } from './UploadPill.tsx';
import { UsePanel } from './UsePanel.tsx';
import { VersionPanel } from './VersionPanel.tsx';

/** One version of a component: its file or the upload of it, and who uses it. */
export function VersionScreen() {
  const { projectId, versionId } = useParams({
    from: '/shell/projects/$projectId/components/$componentId/versions/$versionId',
  });
  const read = useRead(
    readComponentVersion,
    { params: { versionId } },
    { refetchInterval: last => (last?.state === 'verifying' ? refetchAfterMs : false) },
  );
  const { data, error } = read;
  if (error?.reason === 'COMPONENT_VERSION_NOT_FOUND')
    return <NotFound what={`Component version ${versionId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The version" />;
  return (
    <>
      <ReadState read={read} what="The version" refetchError />
      <OneVersion projectId={projectId} version={data} />
    </>
  );
}

function OneVersion({ projectId, version }: { projectId: string; version: ComponentVersion }) {
  const { id, componentId, componentName, name } = version;
  const { data: component } = useRead(readComponent, { params: { componentId } });
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editComponentVersion);
  const mayDelete = useMay(deleteComponentVersion);
  const remove = { label: 'Delete version', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  return (
    <DetailScreen
      name={`${componentName} ${name}`}
      id={id}
      state={<UploadPill version={version} />}
      actions={
        <>
          {mayEdit && <UploadActions version={version} />}
          <NextForVersion projectId={projectId} version={version} />
        </>
      }
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      side={
        <>
          <VersionPanel projectId={projectId} version={version} locked={!mayEdit} />
          <UsePanel projectId={projectId} version={version} />
          <OtherVersions projectId={projectId} version={version} />
        </>
      }
    >
      <FileSection version={version} keys={component?.signingKeys} locked={!mayEdit} />
      <ConfigSchemaPanel version={version} locked={!mayEdit} />
      {deleting && (
        <DeleteVersion projectId={projectId} version={version} onClose={() => setDeleting(false)} />
      )}
    </DetailScreen>
  );
}
