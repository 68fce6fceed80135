import { useStore } from '#console/core/store.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';

/** The device's config: the key-value pairs of its class, overridden by its own. */
export function ConfigPanel({ simulation }: { simulation: Simulation }) {
  const config = useStore(simulation.config);
  const pairs = Object.entries(config ?? {});
  return (
    <Panel title="Configuration" note="key-value pairs of the class and the device">
      {pairs.length === 0 ? (
        <p className={css.quiet}>
          {config
            ? 'There are no key-value pairs.'
            : 'Nothing received: the device has not been connected yet.'}
        </p>
      ) : (
        <dl className={css.pairs}>
          {pairs.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
