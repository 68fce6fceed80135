import { protocolWords } from '#console/devices/deviceWords.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import type { OpenConnection } from '#contract/presence.ts';
import { connectionsMax } from '#rules/devices/gatewayLimits.ts';
import css from './presence.module.css';

/** A device can have several connections: the hardware itself, and someone debugging beside it. */
export function OpenConnections({ connections }: { connections: readonly OpenConnection[] }) {
  return (
    <section className={css.connections} aria-label="Open connections">
      <h3>{`${connections.length} of ${connectionsMax} connections`}</h3>
      <ul>
        {connections.map(({ number, clientId, protocol, address, since, temporary }) => (
          <li key={number}>
            <code>{clientId || '(no client id)'}</code>
            <span>
              {protocolWords[protocol]} from {address}, <TimeAgo time={since} />
              {temporary && ', with a temporary key'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
