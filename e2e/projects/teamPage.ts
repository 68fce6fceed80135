import type { Page } from '@playwright/test';
import type { Project } from '#contract/project.ts';

export const address = ({ id }: Project, hash = '') => `/projects/${id}/team${hash}`;
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Chooses from the menu of a member's row. */
export async function act(page: Page, who: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${who}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
