import type { EmailTemplate } from '#contract/emailTemplate.ts';

/** True: the e-mail is about a link, but would be sent without it. */
export function lacksLink({ variables }: Pick<EmailTemplate, 'variables'>, html: string): boolean {
  const link = variables.find(({ name }) => name === 'link.url');
  return (
    link !== undefined && !html.includes(link.sample) && !html.includes(link.sample.replaceAll('&', '&amp;'))
  );
}
