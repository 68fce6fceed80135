import { TextChanges } from '#console/ui/code/TextChanges.tsx';
import type { Content } from './useMailPreview.ts';

interface TemplateChangesProps {
  before: Content;
  after: Content;
  /** What is said when nothing differs. */
  none: string;
}

/** What differs between two wordings of a mail. */
export function TemplateChanges({ before, after, none }: TemplateChangesProps) {
  const texts = [
    { label: 'Subject', before: before.subject, after: after.subject },
    { label: 'Body', before: before.body, after: after.body },
  ];
  return <TextChanges texts={texts} none={none} />;
}
