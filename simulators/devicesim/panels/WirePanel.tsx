import { memo, useState } from 'react';
import lineCss from '#console/ui/logs/Lines.module.css';
import { WirePanel as Wire, WireWords } from '../../shared/WirePanel.tsx';
import wireCss from '../../shared/wire.module.css';
import { laidOut } from '../../shared/wireLines.ts';
import type { Simulation } from '../simulation.ts';
import type { PacketLine } from '../wireLog.ts';

/** All packets sent and received. */
export function WirePanel({ simulation: { wire } }: { simulation: Simulation }) {
  return (
    <Wire
      wire={wire}
      noun="packets"
      placeholder="Topic or payload"
      quiet={{ label: 'Acknowledgements and pings', is: ({ kind }) => quiet.has(kind) }}
      line={line => <Packet line={line} />}
    />
  );
}

const quiet = new Set(['PUBACK', 'PINGREQ', 'PINGRESP']);
const ways = { up: 'from the device', down: 'to the device' };

const Packet = memo(function Packet({ line }: { line: PacketLine }) {
  const { way, kind, about, payload, bytes } = line;
  const [open, setOpen] = useState(false);
  return (
    <details className={lineCss.fold} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={wireCss.packet} data-way={way}>
        <WireWords line={line} ways={ways}>
          <b>{kind === 'PUBLISH' ? about : kind}</b> {kind === 'PUBLISH' ? payload : about}
        </WireWords>
      </summary>
      {open && (
        <div className={wireCss.whole}>
          <p>
            {kind} {about}, {bytes} bytes
          </p>
          {payload && <pre>{laidOut(payload)}</pre>}
        </div>
      )}
    </details>
  );
});
