import { useStore } from '#console/core/store.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import frameCss from '../../shared/frame.module.css';
import type { Simulation } from '../simulation.ts';

/** A message that the platform rejected, with the reason. */
export function RejectedNotice({ simulation }: { simulation: Simulation }) {
  const rejected = useStore(simulation.rejected);
  return (
    <div role="status">
      {rejected && (
        <div className={frameCss.notice}>
          <div>
            <p>
              <code>{rejected.topic}</code> was rejected. {rejected.message} <code>{rejected.reason}</code>
            </p>
            <ul>
              {rejected.faults?.map(({ at, text }) => (
                <li key={at + text}>{text}</li>
              ))}
            </ul>
          </div>
          <IconButton label="Dismiss" onClick={() => simulation.rejected.set(undefined)}>
            <CloseIcon size={14} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
