import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { DeleteUnused } from '#console/firmware/DeleteUnused.tsx';
import { UsedByBundles } from '#console/firmware/UsedByBundles.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { firstLine } from '#console/ui/firstLine.ts';
import { useAdd } from '#console/ui/list/useAdd.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import {
  type Component,
  deleteComponent,
  editComponent,
  readComponent,
  readComponentUse,
} from '#contract/component.ts';
import { createComponentVersion } from '#contract/componentVersion.ts';
import { numberText } from '#rules/text/numberText.ts';
import { componentFields } from './componentFields.ts';
import { NewVersion } from './NewVersion.tsx';
import { NextForComponent } from './NextForComponent.tsx';
import { SigningKeysPanel } from './SigningKeysPanel.tsx';
import { VersionsPanel } from './VersionsPanel.tsx';

/** One component of a device: its versions, and the keys that sign them. */
export function ComponentScreen() {
  const { projectId, componentId } = useParams({
    from: '/shell/projects/$projectId/components/$componentId',
  });
  const read = useRead(readComponent, { params: { componentId: componentId ?? '' } });
  const { data, error } = read;
  if (error?.reason === 'COMPONENT_NOT_FOUND')
    return <NotFound what={`Component ${componentId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The component" />;
  return (
    <>
      <ReadState read={read} what="The component" refetchError />
      <OneComponent projectId={projectId ?? ''} component={data} />
    </>
  );
}

function OneComponent({ projectId, component }: { projectId: string; component: Component }) {
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editComponent);
  const adding = useAdd('Create version', useMay(createComponentVersion));
  const remove = { label: 'Delete component', run: () => setDeleting(true) };
  useActions(mayEdit ? [remove] : []);
  return (
    <DetailScreen
      name={component.name}
      id={component.id}
      actions={adding.button('primary')}
      {...(mayEdit && { menu: [{ ...remove, danger: true }] })}
      side={
        <>
          <InfoPanel component={component} locked={!mayEdit} />
          <SigningKeysPanel component={component} locked={!mayEdit} />
        </>
      }
    >
      <NextForComponent projectId={projectId} component={component} />
      <VersionsPanel projectId={projectId} component={component} add={adding.button('primary')} />
      {adding.open && <NewVersion projectId={projectId} component={component} onClose={adding.close} />}
      {deleting && (
        <DeleteComponent projectId={projectId} component={component} onClose={() => setDeleting(false)} />
      )}
    </DetailScreen>
  );
}

function InfoPanel({ component, locked }: { component: Component; locked: boolean }) {
  const save = useCall(editComponent);
  const params = { componentId: component.id };
  return (
    <FieldsPanel
      title="Component"
      locked={locked}
      row={component}
      fields={componentFields}
      facts={['name', 'description', ['Created', <TimeAgo key="created" time={component.createdAt} />]]}
      toForm={({ name, description }) => ({ name, description })}
      send={(body, ifMatch) => save.mutateAsync({ params, body, ifMatch })}
      saved="Component saved"
    />
  );
}

interface DeleteComponentProps {
  projectId: string;
  component: Component;
  onClose: () => void;
}

function DeleteComponent({ projectId, component, onClose }: DeleteComponentProps) {
  const { id: componentId, name, versionCount } = component;
  const { data: use } = useRead(readComponentUse, { params: { componentId } });
  const versions = versionCount === 1 ? 'version' : `${numberText(versionCount)} versions`;
  return (
    <DeleteUnused
      noun="component"
      name={name}
      endpoint={deleteComponent}
      input={{ params: { componentId } }}
      leaveTo={{ to: '/projects/$projectId/components', params: { projectId } }}
      use={use && use.bundles.length > 0 ? use : undefined}
      usedBy={({ bundles }: { bundles?: { id: string; name: string }[] }) => (
        <UsedByBundles projectId={projectId} bundles={bundles} />
      )}
      onClose={onClose}
    >
      <p>
        Do you really want to delete component <b dir="auto">{firstLine(name)}</b>?
      </p>
      {versionCount > 0 && (
        <p>
          Its {versions} and {versionCount === 1 ? 'its files are' : 'their files are'} deleted with it.
        </p>
      )}
    </DeleteUnused>
  );
}
