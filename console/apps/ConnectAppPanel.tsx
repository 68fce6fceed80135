import { useState } from 'react';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { CopyIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { App } from '#contract/app.ts';
import { type AppAddress, type AppSnippet, appSnippets, useAppAddress } from './appSnippets.ts';
import css from './apps.module.css';

/** The address that the app calls, and code to start with. */
export function ConnectAppPanel({ app }: { app: App }) {
  const { read, address } = useAppAddress(app);
  return (
    <Panel
      title="Connect"
      action={
        <a href="/docs/app" target="_blank" rel="noopener" className={buttonClass('quiet')}>
          Reference
        </a>
      }
    >
      {address ? (
        <Address address={address} />
      ) : (
        <ReadState read={read} what="The address" skeleton={<Skeleton lines={3} />} />
      )}
    </Panel>
  );
}

function Address({ address }: { address: AppAddress }) {
  const [shown, setShown] = useState<AppSnippet>();
  const toggle = (kind: AppSnippet) => setShown(shown === kind ? undefined : kind);
  async function take() {
    if (await copy(appSnippets.typescript.text(address))) toast('Copied');
  }
  return (
    <div className={css.connect}>
      <div className={css.address}>
        <CodeSample label="Address" text={address.url} shown={address.lines.join('\n')} />
      </div>
      <div className={css.buttons}>
        <Button icon={<CopyIcon />} onClick={() => void take()}>
          Copy for TypeScript
        </Button>
        <Button variant="quiet" aria-expanded={shown === 'curl'} onClick={() => toggle('curl')}>
          curl
        </Button>
      </div>
      {shown && <CodeSample label={appSnippets[shown].label} text={appSnippets[shown].text(address)} />}
    </div>
  );
}
