import type { Page } from '@playwright/test';
import type { BodyOf } from '#contract/endpoint.ts';
import { editProject, type Project, readProject } from '#contract/project.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { expect } from '../world.ts';

export const address = ({ id }: Project, part = '') => `/projects/${id}/settings${part}`;
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const saved = (page: Page) => expect(page.getByText('Settings saved')).toBeVisible();

export function readNow(by: Newcomer, { id }: Project): Promise<Project> {
  return by.client.call(readProject, { params: { projectId: id } });
}

/** Makes a concurrent change as another developer. */
export function change(by: Newcomer, { id }: Project, body: BodyOf<typeof editProject>): Promise<Project> {
  return by.client.call(editProject, { params: { projectId: id }, body });
}
