import { TextChanges } from '#console/ui/code/TextChanges.tsx';
import type { Content } from './useMailPreview.ts';

interface TemplateChangesProps {
  before: Content;
  after: Content;
  /** Shown if nothing differs. */
  none: string;
}

/** The differences between two versions of an e-mail. */
export function TemplateChanges({ before, after, none }: TemplateChangesProps) {
  const texts = [
    { label: 'Subject', before: before.subject, after: after.subject },
    { label: 'Body', before: before.body, after: after.body },
  ];
  return <TextChanges texts={texts} none={none} />;
}
