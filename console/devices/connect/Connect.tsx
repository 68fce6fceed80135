import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import css from '#console/devices/devices.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { readDeviceKey } from '#contract/device.ts';
import { type Gateway, readGateway } from '#contract/gateway.ts';
import { hasMore, type SnippetKind, snippetKinds, snippetOf, snippets } from './snippets.ts';

interface ConnectProps {
  deviceId: string;
  /** Undefined: nobody has asked to see the key, and a placeholder is shown. */
  apiKey: string | undefined;
}

const keyMask = '•'.repeat(32);
/** The placeholder in copied lines while the key is not known. */
const keyPlace = 'YOUR_DEVICE_KEY';

const isThisMachine = ({ httpUrl }: Gateway) => /^(localhost|127\.|\[::1\])/.test(new URL(httpUrl).hostname);

/**
 * How this particular device connects, with the real addresses and its id; copied with the key once the key is shown.
 */
export function Connect({ deviceId, apiKey }: ConnectProps) {
  const [chosen, setChosen] = useState<SnippetKind>('mosquitto');
  const [every, setEvery] = useState(false);
  const mayShow = useMay(readDeviceKey);
  const read = useRead(readGateway, {});
  const { data: gateway } = read;
  if (!gateway) return <ReadState read={read} what="The gateway address" skeleton={<Skeleton lines={5} />} />;
  const offered = snippetKinds.filter(one => gateway.mqtt || !snippets[one].needsMqtt);
  const kind = offered.includes(chosen) ? chosen : 'curl';
  const text = (key: string) => snippetOf(kind, { gateway, deviceId, apiKey: key }, every);
  return (
    <div className={css.snippets}>
      <Segments
        label="Connect with"
        options={offered.map(value => ({ value, label: snippets[value].label }))}
        chosen={kind}
        onChange={setChosen}
      />
      <CodeSample
        label={`Connect with ${snippets[kind].label}`}
        text={text(apiKey ?? keyPlace)}
        shown={text(apiKey ?? keyMask)}
      />
      {apiKey === undefined && (
        <p className={css.snippetHint}>
          The copied lines contain {keyPlace} instead of the key. {mayShow && 'Show the key to include it.'}
        </p>
      )}
      {isThisMachine(gateway) && (
        <p className={css.snippetHint}>
          This address only reaches Mooring from the same machine. To accept other devices, start it with
          HOST=0.0.0.0 and PUBLIC_URL.
        </p>
      )}
      {hasMore(kind) && (
        <Button variant="quiet" onClick={() => setEvery(!every)}>
          {every ? 'Show less' : 'All messages'}
        </Button>
      )}
    </div>
  );
}
