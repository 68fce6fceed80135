import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { createdFacts } from '#console/firmware/firmwareFacts.tsx';
import { buttonClass } from '#console/ui/Button.tsx';
import { FieldsPanel } from '#console/ui/fields/FieldsPanel.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { type Bundle, createBundle, deleteBundle, editBundle, readBundle } from '#contract/bundle.ts';
import { BundleUsePanel } from './BundleUsePanel.tsx';
import { bundleFields } from './bundleFields.ts';
import css from './bundles.module.css';
import { ContentsPanel } from './ContentsPanel.tsx';
import { DeleteBundle } from './DeleteBundle.tsx';
import { RollOutTo } from './RollOutTo.tsx';

/** One bundle: what it contains, optionally compared with another, and who runs it. */
export function BundleScreen() {
  const { projectId, bundleId } = useParams({ from: '/shell/projects/$projectId/bundles/$bundleId' });
  const read = useRead(readBundle, { params: { bundleId } });
  const { data, error } = read;
  if (error?.reason === 'BUNDLE_NOT_FOUND') return <NotFound what={`Bundle ${bundleId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The bundle" />;
  return (
    <>
      <ReadState read={read} what="The bundle" refetchError />
      <OneBundle projectId={projectId} bundle={data} />
    </>
  );
}

function OneBundle({ projectId, bundle }: { projectId: string; bundle: Bundle }) {
  const [deleting, setDeleting] = useState(false);
  const mayEdit = useMay(editBundle);
  const mayCreate = useMay(createBundle);
  const mayDelete = useMay(deleteBundle);
  const remove = { label: 'Delete bundle', run: () => setDeleting(true) };
  useActions(mayDelete ? [remove] : []);
  return (
    <DetailScreen
      name={bundle.name}
      id={bundle.id}
      state={<span className={css.quiet}>{bundle.deviceClass}</span>}
      actions={
        <>
          {mayCreate && (
            <Link
              className={buttonClass('plain')}
              to="/projects/$projectId/bundles"
              params={{ projectId }}
              search={{ clone: bundle.id } as never}
              hash="new"
            >
              Clone bundle
            </Link>
          )}
          <RollOutTo projectId={projectId} bundle={bundle} />
        </>
      }
      {...(mayDelete && { menu: [{ ...remove, danger: true }] })}
      side={
        <>
          <InfoPanel projectId={projectId} bundle={bundle} locked={!mayEdit} />
          <BundleUsePanel projectId={projectId} bundle={bundle} />
        </>
      }
    >
      <ContentsPanel projectId={projectId} bundle={bundle} />
      {deleting && <DeleteBundle projectId={projectId} bundle={bundle} onClose={() => setDeleting(false)} />}
    </DetailScreen>
  );
}

interface InfoPanelProps {
  projectId: string;
  bundle: Bundle;
  locked: boolean;
}

function InfoPanel({ projectId, bundle, locked }: InfoPanelProps) {
  const { id: bundleId, deviceClass: classId, createdBy, createdAt } = bundle;
  const save = useCall(editBundle);
  return (
    <FieldsPanel
      title="Bundle"
      locked={locked}
      row={bundle}
      fields={bundleFields}
      facts={[
        'name',
        'description',
        [
          'Device class',
          <Link
            key="class"
            className={css.link}
            to="/projects/$projectId/device_classes/$classId/overview"
            params={{ projectId, classId }}
          >
            {classId}
          </Link>,
        ],
        ...createdFacts({ createdBy, createdAt }),
      ]}
      toForm={({ name, description }) => ({ name, description })}
      send={(body, ifMatch) => save.mutateAsync({ params: { bundleId }, body, ifMatch })}
      saved="Bundle saved"
    />
  );
}
