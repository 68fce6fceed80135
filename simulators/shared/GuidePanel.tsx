import type { ReactNode } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import frameCss from './frame.module.css';

export interface GuideStep {
  done: boolean;
  title: string;
  text: ReactNode;
}

/** Steps for new users, which are ticked off by doing them. */
export function GuidePanel({ steps, onHide }: { steps: readonly GuideStep[]; onHide: () => void }) {
  return (
    <Panel
      title="How it works"
      action={
        <Button variant="quiet" onClick={onHide}>
          {steps.every(({ done }) => done) ? 'Done' : 'Hide'}
        </Button>
      }
    >
      <ol className={frameCss.steps}>
        {steps.map(({ done, title, text }, at) => (
          <li key={title} data-done={done || undefined}>
            <span className={frameCss.step}>{done ? <CheckIcon size={14} /> : at + 1}</span>
            <div>
              <b>{title}</b>
              {done && <span className="visuallyHidden"> Done.</span>}
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
