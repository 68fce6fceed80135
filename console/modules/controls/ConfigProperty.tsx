import type { ComponentType } from 'react';
import { useConfig } from '#console/modules/config/ConfigContext.ts';
import {
  choicesOf,
  kindsOf,
  resolved,
  type Schema,
  titleOf,
  typeOf,
} from '#console/modules/config/configSchema.ts';
import type { Path } from '#console/modules/config/pointers.ts';
import { ChoiceControl, DeviceClassControl, ToggleControl } from './ChoiceControls.tsx';
import { ConditionControl } from './ConditionControl.tsx';
import { CronControl } from './CronControl.tsx';
import { DeviceControl } from './DeviceControl.tsx';
import { JsonControl } from './JsonControl.tsx';
import { KindControl } from './KindControl.tsx';
import { CardsControl, LinesControl, SetControl } from './ListControls.tsx';
import { DurationControl, NumberControl } from './NumberControls.tsx';
import { ObjectControl } from './ObjectControl.tsx';
import { SecretControl } from './SecretControl.tsx';
import {
  CommandNameControl,
  EventNameControl,
  TemplateControl,
  TextAreaControl,
  TextControl,
  TimeZoneControl,
} from './TextControls.tsx';

export interface ControlProps {
  schema: Schema;
  path: Path;
  label: string;
  /** False: the property is optional. */
  required: boolean;
}

interface ConfigPropertyProps {
  name: string;
  schema: Schema;
  path: Path;
  required: boolean;
}

/** One property of a configuration, with the control that its schema names, or else the one for its JSON type. */
export function ConfigProperty({ name, schema: given, path, required }: ConfigPropertyProps) {
  const { defs } = useConfig();
  const schema = resolved(given, defs);
  const Control = controlOf(schema, defs);
  // A property with a default always has a value.
  const hasValue = required || (schema.default !== undefined && schema.default !== '');
  return <Control schema={schema} path={path} label={titleOf(schema, name)} required={hasValue} />;
}

type Control = ComponentType<ControlProps>;

const byHint: Partial<Record<string, Control>> = {
  secret: SecretControl,
  json: JsonControl,
  duration: DurationControl,
  cron: CronControl,
  timeZone: TimeZoneControl,
  condition: ConditionControl,
  template: TemplateControl,
  eventName: EventNameControl,
  commandName: CommandNameControl,
};

function controlOf(schema: Schema, defs: Schema['$defs']): Control {
  const { control = '' } = schema.ui ?? {};
  const type = typeOf(schema);
  if (type === 'array') return listControlOf(schema, defs);
  if (control === 'deviceClass') return DeviceClassControl;
  if (control === 'device') return DeviceControl;
  const hinted = byHint[control];
  if (hinted) return hinted;
  if (kindsOf(schema, defs)) return KindControl;
  if (choicesOf(schema)) return ChoiceControl;
  if (type === 'boolean') return ToggleControl;
  if (type === 'number' || type === 'integer') return NumberControl;
  if (type === 'object') return schema.properties ? ObjectControl : JsonControl;
  if (control === 'lines') return TextAreaControl;
  return type === 'string' || isTextUnion(schema) || control ? TextControl : JsonControl;
}

/** Such as an id that may be empty. */
const isTextUnion = ({ anyOf }: Schema) =>
  anyOf?.every(option => typeOf(option) === 'string' || typeof option.const === 'string') ?? false;

function listControlOf({ ui, items = {} }: Schema, defs: Schema['$defs']): Control {
  if (ui?.control === 'json') return JsonControl;
  if (ui?.control === 'deviceClass') return DeviceClassControl;
  if (ui?.control === 'device') return DeviceControl;
  const item = resolved(items, defs);
  if (item.ui?.control === 'deviceClass') return DeviceClassControl;
  if (item.ui?.control === 'device') return DeviceControl;
  if (typeOf(item) === 'object' || kindsOf(item, defs)) return CardsControl;
  if (choicesOf(item)) return SetControl;
  return typeOf(item) === 'string' || item.anyOf ? LinesControl : JsonControl;
}
