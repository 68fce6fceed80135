import { TextField } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import { useTextField } from './TextControls.tsx';

/** Five fields of a clock. */
export function CronControl(props: ControlProps) {
  return <TextField {...useTextField(props)} mono spellCheck={false} autoComplete="off" />;
}
