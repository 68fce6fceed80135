import { useState } from 'react';
import { useRead } from '#console/api.ts';
import { CodeSample } from '#console/ui/CodeSample.tsx';
import { ErrorState } from '#console/ui/ErrorState.tsx';
import { Segments } from '#console/ui/Segments.tsx';
import { Skeleton } from '#console/ui/Skeleton.tsx';
import { readGateway } from '#contract/gateway.ts';
import css from './devices.module.css';
import { type SnippetKind, snippetOf, snippets } from './snippets.ts';

interface ConnectProps {
  deviceId: string;
  /** Undefined: nobody has asked to see it; its place is marked. */
  apiKey: string | undefined;
}

export const keyMask = '•'.repeat(32);
/** What stands in a copied line where the key is not known. */
const keyPlace = 'YOUR_DEVICE_KEY';

/** How this very device connects, with the real addresses and its id; copied with the key, once that is shown. */
export function Connect({ deviceId, apiKey }: ConnectProps) {
  const [kind, setKind] = useState<SnippetKind>('mosquitto');
  const { data: gateway, error, refetch, isFetching } = useRead(readGateway, {});
  if (!gateway && error)
    return (
      <ErrorState
        what="The gateway’s address"
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (!gateway) return <Skeleton lines={5} />;
  const text = (key: string) => snippetOf(kind, { gateway, deviceId, apiKey: key });
  return (
    <div className={css.snippets}>
      <Segments
        label="Connect with"
        options={snippets.map(({ kind: value, label }) => ({ value, label }))}
        chosen={kind}
        onChange={setKind}
      />
      <CodeSample
        label={`Connect with ${snippets.find(one => one.kind === kind)?.label ?? ''}`}
        text={text(apiKey ?? keyPlace)}
        shown={text(apiKey ?? keyMask)}
      />
    </div>
  );
}
