import { useRead } from '#console/core/api.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextArea, TextField } from '#console/ui/form/TextField.tsx';
import type { useForm } from '#console/ui/form/useForm.ts';
import { listDeviceClasses } from '#contract/deviceClass.ts';
import { homeRoles } from '#contract/home.ts';
import { type ProxyResource, proxyPrefixes, targetUrlMax } from '#contract/proxyRoute.ts';
import { descriptionMax } from '#contract/shapes.ts';
import { sourcePathMax } from '#rules/apps/proxyPaths.ts';
import css from './proxyRoutes.module.css';
import type { RouteValues } from './routeForm.ts';
import { hasRoles, resourceWords, roleWords } from './routeWords.ts';

interface RouteFieldsProps {
  projectId: string;
  form: Pick<ReturnType<typeof useForm<RouteValues>>, 'field' | 'values' | 'set'>;
}

const resources = Object.entries(resourceWords).map(([value, { label }]) => ({ value, label }));

/** The fields of a route, including those of its resource. */
export function RouteFields({ projectId, form }: RouteFieldsProps) {
  const { values } = form;
  const { resource } = values;
  return (
    <>
      <SelectField
        label="Resource"
        hint={resourceWords[resource].hint}
        options={resources}
        {...form.field('resource')}
        onChange={value => form.set('resource', value as ProxyResource)}
      />
      <TextField
        label="Source path"
        mono
        autoFocus
        spellCheck={false}
        autoComplete="off"
        maxLength={sourcePathMax}
        placeholder="/energy"
        hint={
          <>
            Starts with /, and matches calls to this path after <code>{proxyPrefixes[resource]}</code>. If
            several routes match, the longest one handles the call.
          </>
        }
        {...form.field('sourcePath')}
      />
      <TextField
        label="Target"
        mono
        type="url"
        spellCheck={false}
        autoComplete="off"
        maxLength={targetUrlMax}
        placeholder="https://api.example.com/energy"
        hint="The address of your back end. What follows the source path in a call is appended to it."
        {...form.field('targetUrl')}
      />
      <Filters projectId={projectId} form={form} />
      {hasRoles(resource) && <Roles form={form} />}
      <TextArea
        label="Description (optional)"
        dir="auto"
        rows={2}
        maxLength={descriptionMax}
        {...form.field('description')}
      />
      <Checkbox
        label="Allow WebSocket"
        hint="Otherwise, WebSocket upgrades are refused."
        checked={values.webSocket}
        onChange={isOn => form.set('webSocket', isOn)}
      />
    </>
  );
}

/** The filters of the route, which depend on its resource. */
function Filters({ projectId, form }: RouteFieldsProps) {
  const { resource } = form.values;
  const isOfClasses = resource === 'device';
  const classes = useRead(
    listDeviceClasses,
    { params: { projectId }, query: { limit: 10 } },
    { enabled: isOfClasses },
  ).data?.items;
  const plain = { mono: true, spellCheck: false, autoComplete: 'off' } as const;
  if (resource === 'home')
    return (
      <TextField
        {...plain}
        label="Homes (optional)"
        inputMode="numeric"
        placeholder="1041 1042"
        hint="Home ids, separated by spaces. Leave it empty for all homes."
        {...form.field('homeIds')}
      />
    );
  if (isOfClasses)
    return (
      <TextField
        {...plain}
        label="Device classes (optional)"
        placeholder={classes
          ?.slice(0, 2)
          .map(({ id }) => id)
          .join(' ')}
        hint="Class ids, separated by spaces. Leave it empty for all classes."
        {...form.field('deviceClasses')}
      />
    );
  if (resource !== 'entity') return null;
  return (
    <>
      <TextField
        {...plain}
        label="Entity classes (optional)"
        placeholder="lamp socket"
        hint="Separated by spaces. Leave it empty for all classes."
        {...form.field('entityClasses')}
      />
      <TextField
        {...plain}
        label="Entities (optional)"
        placeholder="dev_01m8…:lamp-1"
        hint="A device id, a colon and the name of the entity, separated by spaces."
        {...form.field('entityIds')}
      />
    </>
  );
}

function Roles({ form: { values, set, field } }: Pick<RouteFieldsProps, 'form'>) {
  const { error } = field('homeRoles');
  return (
    <fieldset className={css.roles}>
      <legend>Who may call it</legend>
      {homeRoles.toReversed().map(role => (
        <Checkbox
          key={role}
          label={roleWords[role]}
          checked={values.homeRoles.includes(role)}
          onChange={isOn =>
            set(
              'homeRoles',
              homeRoles.filter(one => (one === role ? isOn : values.homeRoles.includes(one))),
            )
          }
        />
      ))}
      {error && <p role="alert">Choose at least one role.</p>}
    </fieldset>
  );
}
