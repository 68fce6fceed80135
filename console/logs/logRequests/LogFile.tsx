import { useEffect, useMemo, useState } from 'react';
import { useUrlState } from '#console/core/urlState.ts';
import { Button } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { Chips } from '#console/ui/list/Chips.tsx';
import bar from '#console/ui/list/Toolbar.module.css';
import { levelChips } from '#console/ui/logs/levelChips.ts';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { Progress } from '#console/ui/state/Progress.tsx';
import { CallFailed } from '#contract/client.ts';
import { logLevels } from '#contract/log.ts';
import { numberText } from '#rules/text/numberText.ts';
import { FileLines } from './FileLines.tsx';
import css from './logRequests.module.css';
import { linesMax, type ReadFile, readLogFile } from './readLogFile.ts';
import { useDownload } from './useDownload.ts';

interface LogFileProps {
  deviceId: string;
  requestId: string;
  onClose: () => void;
}

/** A file sent by a device, unpacked and shown in the browser. */
export function LogFile({ deviceId, requestId, onClose }: LogFileProps) {
  const { file, count, error } = useLogFile(deviceId, requestId);
  const download = useDownload(deviceId);
  return (
    <Dialog title="Device log" shape="full" onClose={onClose}>
      <DialogBody>
        <FormError error={error ?? download.error} />
        {!file && !error && <Progress label={`Reading: ${numberText(count)} lines`} part={undefined} />}
        {file && <FilteredLines file={file} />}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => void download.start(requestId)}>Download</Button>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** The lines that match the filters in the address. */
function FilteredLines({ file }: { file: ReadFile }) {
  const [url, change] = useUrlState();
  const levels = url.level?.split(',') ?? [];
  const text = url.text ?? '';
  const shown = useMemo(() => {
    const wanted = text.toLowerCase();
    return file.lines.filter(
      line =>
        (!url.level || url.level.split(',').includes(logLevels[line.level] ?? '')) &&
        (!wanted || line.text.toLowerCase().includes(wanted)),
    );
  }, [file, url.level, text]);
  return (
    <>
      <div className={bar.tools}>
        <input
          className={`${bar.control} ${css.filter}`}
          data-first-focus
          aria-label="Filter these lines"
          placeholder="Filter…"
          value={text}
          onChange={({ target }) => change({ text: target.value }, { replace: true })}
        />
        <Chips
          label="Levels"
          chips={levelChips}
          chosen={levels}
          onChange={chosen => change({ level: chosen.join(',') }, { replace: true })}
        />
        <span className={css.count} role="status">
          {numberText(shown.length)} of {numberText(file.lines.length)} lines
        </span>
      </div>
      {shown.length > 0 ? (
        <FileLines lines={shown} />
      ) : (
        <EmptyState
          title="No matching lines"
          action={
            <Button onClick={() => change({ text: undefined, level: undefined }, { replace: true })}>
              Clear filter
            </Button>
          }
        />
      )}
      {file.isCut && (
        <p className={css.count}>
          Showing the first {numberText(linesMax)} lines. Download the file for the rest.
        </p>
      )}
    </>
  );
}

function useLogFile(deviceId: string, requestId: string) {
  const [file, setFile] = useState<ReadFile>();
  const [count, setCount] = useState(0);
  const [error, setError] = useState<CallFailed>();
  useEffect(() => {
    const leaving = new AbortController();
    setFile(undefined);
    setError(undefined);
    readLogFile(deviceId, requestId, leaving.signal, setCount).then(setFile, (failure: unknown) => {
      if (leaving.signal.aborted) return;
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    });
    return () => leaving.abort();
  }, [deviceId, requestId]);
  return { file, count, error };
}
