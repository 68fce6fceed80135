import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormFields } from '#console/ui/fields/FormFields.tsx';
import { faultsIn, fieldsOf } from '#console/ui/fields/fields.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { ReadState } from '#console/ui/state/ReadState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { type Bundle, createBundle, readBundle } from '#contract/bundle.ts';
import { componentsMax, listComponents } from '#contract/component.ts';
import { readComponentVersion } from '#contract/componentVersion.ts';
import { readStats } from '#contract/stats.ts';
import { type Choice, choicesOf, type Draft, draftOf } from './bundleDraft.ts';
import { bundleFields } from './bundleFields.ts';
import css from './bundles.module.css';
import { ChooseVersions } from './ChooseVersions.tsx';

interface NewBundleProps {
  projectId: string;
  onClose: () => void;
}

/** A new bundle: empty, with one version (`version` in the address), or as a copy of another bundle (`clone`). */
export function NewBundle({ projectId, onClose }: NewBundleProps) {
  const [{ clone: bundleId = '', version: versionId = '' }] = useUrlState();
  const stats = useRead(readStats, { params: { projectId } });
  const components = useRead(listComponents, { query: { projectId, limit: componentsMax } });
  const from = useRead(readBundle, { params: { bundleId } }, { enabled: bundleId !== '' });
  const version = useRead(readComponentVersion, { params: { versionId } }, { enabled: versionId !== '' });
  const title = bundleId ? 'Clone bundle' : 'Create bundle';
  const isReading = [from, version].some(({ isLoading }) => isLoading);
  if (!stats.data || !components.data || isReading)
    return (
      <Dialog title={title} onClose={onClose}>
        <DialogBody>
          <ReadState read={components} what="The components" skeleton={<Skeleton lines={6} />} />
          {components.data && <ReadState read={stats} what="The device classes" />}
          {components.data && stats.data && <Skeleton lines={6} />}
        </DialogBody>
      </Dialog>
    );
  const classes = stats.data.devices.map(({ deviceClass }) => deviceClass);
  const choices = choicesOf(components.data.items, from.data);
  if (classes.length === 0 || choices.length === 0)
    return <NotYet projectId={projectId} hasClass={classes.length > 0} onClose={onClose} />;
  const draft = draftOf(choices, from.data);
  const with_ = version.data && { [version.data.componentId]: version.data.id };
  return (
    <BundleForm
      title={title}
      projectId={projectId}
      classes={classes}
      choices={choices}
      draft={{ ...draft, chosen: { ...draft.chosen, ...with_ } }}
      onClose={onClose}
    />
  );
}

interface NotYetProps extends NewBundleProps {
  hasClass: boolean;
}

/** Says what has to exist before a bundle can be created. */
function NotYet({ projectId, hasClass, onClose }: NotYetProps) {
  const params = { projectId };
  return (
    <Dialog title="Create bundle" onClose={onClose}>
      <DialogBody>
        <p>You must have at least one device class and one usable component before creating a bundle.</p>
        <p className={css.quiet}>
          {hasClass
            ? 'A component is usable once one of its versions has a verified file.'
            : 'A bundle is for the devices of one class.'}
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        {hasClass ? (
          <Link className={buttonClass('primary')} to="/projects/$projectId/components" params={params}>
            Go to components
          </Link>
        ) : (
          <Link className={buttonClass('primary')} to="/projects/$projectId/device_classes" params={params}>
            Go to device classes
          </Link>
        )}
      </DialogFooter>
    </Dialog>
  );
}

interface BundleFormProps extends NewBundleProps {
  title: string;
  classes: readonly string[];
  choices: readonly Choice[];
  draft: Draft;
}

function BundleForm({ title, projectId, classes, choices, draft: given, onClose }: BundleFormProps) {
  // Later refetches do not change the initial values.
  const [draft] = useState(given);
  const form = useBundleForm(projectId, draft, classes[0] ?? '');
  return (
    <CreateDialog title={title} verb="Create bundle" form={form} onClose={onClose}>
      {draft.missing.length > 0 && (
        <p className={css.missing} role="alert">
          Some components could not be pre-filled: {draft.missing.join(', ')}
        </p>
      )}
      <FormFields fields={fieldsOf(bundleFields, 'create')} form={form} />
      <SelectField
        label="Device class"
        hint="The bundle is for devices of this class. This cannot change later."
        options={classes.map(value => ({ value, label: value }))}
        {...form.field('deviceClass')}
      />
      <ChooseVersions choices={choices} {...form.field('chosen')} />
    </CreateDialog>
  );
}

function useBundleForm(projectId: string, draft: Draft, firstClass: string) {
  const navigate = useNavigate();
  const create = useCall(createBundle);
  return useForm({
    initial: {
      name: draft.name,
      description: draft.description,
      deviceClass: draft.deviceClass ?? firstClass,
      chosen: draft.chosen,
    },
    check: ({ chosen, ...values }) => ({
      ...faultsIn(fieldsOf(bundleFields, 'create'), values),
      ...(Object.values(chosen).some(Boolean) ? {} : { chosen: 'REQUIRED' }),
    }),
    async submit({ name, description, deviceClass, chosen }) {
      const componentVersionIds = Object.values(chosen).filter(Boolean);
      const body = {
        projectId,
        name: name.trim(),
        deviceClass,
        componentVersionIds,
        ...(description && { description }),
      };
      const { id: bundleId }: Bundle = await create.mutateAsync({ body });
      toast('Bundle created');
      const to = '/projects/$projectId/bundles/$bundleId';
      await navigate({ to, params: { projectId, bundleId }, hash: '', replace: true });
    },
  });
}
