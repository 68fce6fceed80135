import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useOrganization } from '#console/organization.ts';
import { Toasts } from '#console/ui/dialog/Toast.tsx';
import { NoSuchPage } from './NoSuchPage.tsx';
import { useCrumbs } from './useCrumbs.ts';

export function Root() {
  const organization = useOrganization();
  const crumbs = useCrumbs();
  const title = [...crumbs.map(({ label }) => label).reverse(), 'Mooring'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      {organization.error?.reason === 'ORG_NOT_FOUND' ? (
        <NoSuchPage failure={organization.error} />
      ) : (
        <Outlet />
      )}
      <Toasts />
    </>
  );
}
