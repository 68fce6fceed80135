import type { Page } from '@playwright/test';

/** The server makes the change, and its answer is lost on the way. Returns how many answers were lost. */
export async function loseAnswers(
  page: Page,
  method: string,
  path: RegExp,
  count = 1,
): Promise<() => number> {
  let lost = 0;
  await page.route(path, async route => {
    if (route.request().method() !== method || lost >= count) return route.fallback();
    await route.fetch();
    lost += 1;
    await route.abort();
  });
  return () => lost;
}
