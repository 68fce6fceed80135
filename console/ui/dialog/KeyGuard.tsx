import { useEffect, useState } from 'react';
import { onCopied } from '#console/ui/CopyText.tsx';
import { UnsavedChangesGuard } from './UnsavedChangesGuard.tsx';

/** For a dialog that shows a key only once: asks before it closes in any way if the key has not been copied. */
export function KeyGuard({ apiKey, what = 'key' }: { apiKey: string; what?: string }) {
  const isCopied = useCopied(apiKey);
  return (
    <UnsavedChangesGuard
      dirty={!isCopied}
      ofDialog
      title={`Close without copying the ${what}?`}
      stay={`Back to the ${what}`}
      go="Close without copying"
    />
  );
}

/** Copied by its button, as part of a copied line, or by hand. */
function useCopied(text: string): boolean {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const look = (copied: string) => {
      if (copied.includes(text)) setCopied(true);
    };
    const byHand = () => look(String(document.getSelection()));
    const stop = onCopied(look);
    document.addEventListener('copy', byHand);
    return () => {
      stop();
      document.removeEventListener('copy', byHand);
    };
  }, [text]);
  return isCopied;
}
