import { useUrlState } from '#console/core/urlState.ts';
import { ImportFile } from './ImportFile.tsx';
import { ImportVerdict } from './ImportVerdict.tsx';

interface ImportDevicesProps {
  params: { projectId: string; classId: string };
  onClose: () => void;
}

/** First a file, then its verdict line by line, and only then the devices. The import's id is in the address. */
export function ImportDevices({ params, onClose }: ImportDevicesProps) {
  const [{ import: importId }, change] = useUrlState();
  const start = (id: string | undefined) => change({ import: id }, { replace: true });
  return importId === undefined ? (
    <ImportFile params={params} onUploaded={start} onClose={onClose} />
  ) : (
    <ImportVerdict
      projectId={params.projectId}
      importId={importId}
      onAgain={() => start(undefined)}
      onClose={onClose}
    />
  );
}
