import { useState } from 'react';
import { useConfig } from '#console/modules/config/ConfigContext.ts';
import { NextTimes } from '#console/modules/schedules/NextTimes.tsx';
import css from '#console/modules/schedules/schedule.module.css';
import { useSchedulePreview } from '#console/modules/schedules/useSchedulePreview.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import { useTextField } from './TextControls.tsx';

/** The five fields of a cron expression, with the next due times in the time zone set beside them. */
export function CronControl(props: ControlProps) {
  const { projectId, valueAt } = useConfig();
  const field = useTextField(props);
  const [isLeft, setLeft] = useState(false);
  const timeZone = valueAt([...props.path.slice(0, -1), 'timeZone']);
  const zone = typeof timeZone === 'string' && timeZone ? timeZone : 'UTC';
  const preview = useSchedulePreview(projectId, field.value, zone);
  // The configuration as a whole is not read as far as this while anything in it is missing.
  const fault = isLeft && preview.fault?.field === 'cron' ? preview.fault.message : undefined;
  return (
    <div className={css.control}>
      <TextField
        {...field}
        {...{ mono: true, spellCheck: false, autoComplete: 'off' }}
        fault={field.fault ?? fault}
        onBlur={() => {
          setLeft(true);
          field.onBlur();
        }}
      />
      {field.fault === undefined && fault === undefined && <NextTimes preview={preview} hasField />}
    </div>
  );
}
