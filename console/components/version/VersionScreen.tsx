import { useParams } from '@tanstack/react-router';
import { useRead } from '#console/api.ts';
import { VersionPill } from '#console/firmware/VersionPill.tsx';
import { DetailScreen } from '#console/ui/screen/DetailScreen.tsx';
import { NotFound } from '#console/ui/state/NotFound.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { readComponentVersion } from '#contract/componentVersion.ts';

/** One version of a component: its file on the way here, and who uses it. */
export function VersionScreen() {
  const { versionId = '' } = useParams({ strict: false }) as { versionId?: string };
  const read = useRead(readComponentVersion, { params: { versionId } });
  const { data, error } = read;
  if (error?.reason === 'COMPONENT_VERSION_NOT_FOUND')
    return <NotFound what={`Component version ${versionId} does not exist.`} />;
  if (!data) return <ReadState read={read} what="The version" />;
  return (
    <DetailScreen
      name={`${data.componentName} ${data.name}`}
      id={data.id}
      state={<VersionPill state={data.state} shape="pill" />}
    >
      <ReadState read={read} what="The version" refetchError />
    </DetailScreen>
  );
}
