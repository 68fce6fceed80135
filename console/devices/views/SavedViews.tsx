import { useState } from 'react';
import { useRead, useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { buttonClass } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Menu, type MenuItem } from '#console/ui/dialog/Menu.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { CheckIcon, ChevronDownIcon } from '#console/ui/icons/icons.tsx';
import {
  createDeviceView,
  type DeviceView,
  deleteDeviceView,
  listDeviceViews,
} from '#contract/deviceView.ts';
import { SaveView } from './SaveView.tsx';
import { addressOf, isSame, queryAt } from './viewAddress.ts';
import css from './views.module.css';

/** The views of the device list that the team has saved: choose one, or save the current list as one. */
export function SavedViews({ projectId }: { projectId: string }) {
  const read = useRead(listDeviceViews, { query: { projectId } });
  const maySave = useMay(createDeviceView);
  const [url] = useUrlState();
  const [open, setOpen] = useState<'save' | 'delete'>();
  if (read.error && !read.data)
    return <NoViews why={read.error.message} onRetry={() => void read.refetch()} />;
  if (!read.data) return null;
  const views = read.data;
  const query = queryAt(url);
  const current = views.find(view => isSame(view.query, query));
  const isPlain = isSame(query, {});
  const close = () => setOpen(undefined);
  const changes: MenuItem[] = [];
  if (maySave && !current && !isPlain) changes.push({ label: 'Save this view…', run: () => setOpen('save') });
  if (maySave && current)
    changes.push({ label: 'Delete this view…', danger: true, run: () => setOpen('delete') });
  return (
    <>
      <Menu
        label="Saved views"
        trigger={trigger(current?.name ?? 'Views')}
        triggerClass={buttonClass('quiet')}
        {...(changes.length === 0 && views.length === 0 && { head: emptyText(maySave) })}
        items={[
          ...views.map(view => linkTo(view, view === current)),
          ...(views.length > 0 && changes.length > 0 ? (['line'] as const) : []),
          ...changes,
        ]}
      />
      {open === 'save' && <SaveView {...{ projectId, query, views }} onClose={close} />}
      {open === 'delete' && current && <DeleteView view={current} onClose={close} />}
    </>
  );
}

function NoViews({ why, onRetry }: { why: string; onRetry: () => void }) {
  return (
    <Menu
      label="Saved views"
      trigger={trigger('Views')}
      triggerClass={buttonClass('quiet')}
      head={`The views could not be loaded. ${why}`}
      items={[{ label: 'Retry', run: onRetry }]}
    />
  );
}

const trigger = (name: string) => (
  <>
    <bdi className={css.name}>{name}</bdi>
    <ChevronDownIcon size={14} />
  </>
);

const emptyText = (maySave: boolean) =>
  maySave
    ? 'No views yet. Search, filter or sort, then save what you see as a view.'
    : 'No views have been saved in this project.';

const linkTo = (view: DeviceView, isCurrent: boolean): MenuItem => ({
  label: view.name,
  note: isCurrent && <CheckIcon size={14} />,
  link: {
    to: '/projects/$projectId/devices',
    params: { projectId: view.projectId },
    search: addressOf(view) as never,
  },
});

function DeleteView({ view: { id, name }, onClose }: { view: DeviceView; onClose: () => void }) {
  const submit = useSubmit();
  async function remove() {
    const params = { viewId: id };
    await submit(deleteDeviceView, { params });
    void invalidate(deleteDeviceView, params);
    toast('View deleted');
  }
  return (
    <Confirm title="Delete view" verb="Delete view" onConfirm={remove} onClose={onClose}>
      <p>
        Do you really want to delete the view <b dir="auto">{name}</b>? It is removed for everyone in the
        project. The devices it lists are not affected.
      </p>
    </Confirm>
  );
}
