import type { Rollout } from '#contract/rollout.ts';
import type { Newcomer } from '#test/newcomer.ts';
import { signedIn } from '../torture/browser.ts';

/** The numbers on the page of a rollout, by the first word of their labels. */
export async function rolloutOnScreen(
  url: string,
  who: Newcomer,
  { id, projectId, channel }: Rollout,
  picture: string | undefined,
): Promise<Record<string, number>> {
  const { context, close } = await signedIn(url, who);
  try {
    const page = await context.newPage();
    await page.goto(`/projects/${projectId}/channels/${channel.id}/rollouts/${id}`);
    const progress = page.getByRole('region', { name: 'Progress' });
    const links = progress.getByRole('link', { name: /^[\d,]+ / });
    await links.first().waitFor();
    const said = await links.evaluateAll(all => all.map(one => one.textContent));
    if (picture) await page.screenshot({ path: picture, fullPage: true });
    return Object.fromEntries(
      said.flatMap(text => {
        const [, figure = '', word = ''] = /^([\d,]+) (\w+)/.exec(text ?? '') ?? [];
        return figure ? [[word, Number(figure.replaceAll(',', ''))]] : [];
      }),
    );
  } finally {
    await close();
  }
}
