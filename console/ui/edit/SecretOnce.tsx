import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { KeyGuard } from '#console/ui/dialog/KeyGuard.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';

interface SecretOnceProps {
  /** "Access token created" */
  title: string;
  /** "token" */
  what: string;
  secret: string;
  /** "Copy access token" */
  copyLabel: string;
  /** Facts beside the secret, in order; `secret` marks the place of the secret itself. */
  facts: readonly (readonly [name: string, value: React.ReactNode] | 'secret')[];
  onClose: () => void;
}

/** A secret that is stored only as a hash, shown just this once. */
export function SecretOnce({ title, what, secret, copyLabel, facts, onClose }: SecretOnceProps) {
  const name = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <KeyGuard apiKey={secret} what={what} />
      <DialogBody>
        <p role="status">
          <b>Copy it now.</b> Only a hash is stored: this is the only time it is shown.
        </p>
        <Facts
          facts={facts.map(fact =>
            fact === 'secret'
              ? ([name, <CopyText key="secret" text={secret} wrap firstFocus label={copyLabel} />] as const)
              : fact,
          )}
        />
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
