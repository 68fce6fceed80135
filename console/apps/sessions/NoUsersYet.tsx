import { useState } from 'react';
import { type AppSnippet, appSnippets, useAppAddress } from '#console/apps/appSnippets.ts';
import css from '#console/apps/apps.module.css';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import type { App } from '#contract/app.ts';

const kinds = Object.keys(appSnippets) as AppSnippet[];

/** Replaces the figures of an app that nobody has used yet: the code that signs in the first user. */
export function NoUsersYet({ app }: { app: App }) {
  const [kind, setKind] = useState<AppSnippet>('typescript');
  const { read, address } = useAppAddress(app);
  const { label, text } = appSnippets[kind];
  return (
    <Panel
      title="Sessions"
      note="none yet"
      action={
        <Segments
          label="Connect with"
          options={kinds.map(value => ({ value, label: appSnippets[value].label }))}
          chosen={kind}
          onChange={setKind}
        />
      }
    >
      <div className={css.first}>
        <p>
          <b>No users yet.</b> Sessions, users and calls appear here after the first sign-in. Start with these
          lines.
        </p>
        {address ? (
          <CodeSample label={`Connect with ${label}`} text={text(address)} />
        ) : (
          <ReadState read={read} what="The address" skeleton={<Skeleton lines={6} />} />
        )}
      </div>
    </Panel>
  );
}
