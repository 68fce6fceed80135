import { session } from '#console/core/session.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { CopyIcon, DownloadIcon } from '#console/ui/icons/icons.tsx';
import css from './accounts.module.css';

/** Shown once; they cannot be read again. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <>
      <DialogBody>
        <p>
          Each code signs you in once if you lose your authenticator. They are shown only once, so store them
          with your passwords.
        </p>
        <ul className={css.codes}>
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </DialogBody>
      <UnsavedChangesGuard
        dirty
        ofDialog
        title="Leave without saving the codes?"
        stay="Back to the codes"
        go="Leave without saving"
      />
      <DialogFooter>
        <Button
          icon={<CopyIcon />}
          onClick={async () => toast((await copy(text)) ? 'Copied' : 'Your browser did not allow copying')}
        >
          Copy
        </Button>
        <Button icon={<DownloadIcon />} onClick={() => download(text)}>
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </DialogFooter>
    </>
  );
}

function download(text: string): void {
  const link = document.createElement('a');
  const head = `Recovery codes for ${session.get()?.developer.email ?? 'your account'} at ${window.location.host}\n\n`;
  link.href = URL.createObjectURL(new Blob([`${head}${text}\n`], { type: 'text/plain' }));
  link.download = 'mooring-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(link.href);
}
