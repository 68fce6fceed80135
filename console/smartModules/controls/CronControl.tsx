import { useConfig } from '#console/smartModules/config/ConfigContext.ts';
import { NextTimes } from '#console/smartModules/schedule/NextTimes.tsx';
import css from '#console/smartModules/schedule/schedule.module.css';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import { useTextField } from './TextControls.tsx';

/** The five fields of a cron expression, with the next due times in the time zone set beside them. */
export function CronControl(props: ControlProps) {
  const { projectId, valueAt } = useConfig();
  const field = useTextField(props);
  const timeZone = valueAt([...props.path.slice(0, -1), 'timeZone']);
  return (
    <div className={css.control}>
      <TextField {...field} mono spellCheck={false} autoComplete="off" />
      <NextTimes
        projectId={projectId}
        cron={field.value}
        timeZone={typeof timeZone === 'string' && timeZone ? timeZone : 'UTC'}
        isFaultSaid={field.fault !== undefined}
      />
    </div>
  );
}
