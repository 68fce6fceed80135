import { useState } from 'react';
import { useActions } from '#console/core/actions.ts';
import { call } from '#console/core/client.ts';
import { download, linkThatLeads } from '#console/core/files/fileLink.ts';
import { useUploadOf } from '#console/firmware/components/upload/uploads.ts';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { DownloadIcon } from '#console/ui/icons/icons.tsx';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import { type ComponentVersion, readComponentVersion } from '#contract/componentVersion.ts';
import css from './version.module.css';

/** The file that devices fetch, once it is verified. */
export function FilePanel({ version }: { version: ComponentVersion }) {
  const { id: versionId, filename, sizeBytes = 0, checksum = '', signature } = version;
  const [error, setError] = useState<CallFailed>();
  const sha256 = useUploadOf(versionId)?.view.get().sha256;
  async function save() {
    setError(undefined);
    try {
      // The link is valid for a quarter of an hour, so it is requested when it is used.
      const { url } = await call(readComponentVersion, { params: { versionId } });
      download(await linkThatLeads(url));
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
  }
  useActions([{ label: 'Download file', run: () => void save() }]);
  return (
    <Panel
      title="File"
      note={<span dir="auto">{filename}</span>}
      action={
        <Button variant="quiet" icon={<DownloadIcon />} onClick={() => void save()}>
          Download
        </Button>
      }
    >
      <div className={css.stack}>
        <FormError error={error} />
        <Facts
          facts={[
            ['Size', sizeText(sizeBytes)],
            [
              'SHA-256',
              <span key="sha256">
                <CopyText text={checksum} wrap label="Copy SHA-256" />
                {sha256 === checksum && (
                  <span className={css.equal}>Matches the checksum computed in this browser</span>
                )}
              </span>,
            ],
            ['Signature', signature ? `Made with key ${signature.keyId}` : 'None'],
          ]}
        />
      </div>
    </Panel>
  );
}

/** "384 MiB, 402,653,184 bytes" */
function sizeText(bytes: number): string {
  const exact = countOf(bytes, 'byte');
  return bytes < 1024 ? exact : `${binarySize(bytes)}, ${exact}`;
}
