import { TextArea } from '#console/ui/form/TextField.tsx';
import type { ControlProps } from './ConfigProperty.tsx';
import { useTextField } from './TextControls.tsx';

export function ConditionControl(props: ControlProps) {
  return <TextArea {...useTextField(props)} mono rows={4} spellCheck={false} />;
}
