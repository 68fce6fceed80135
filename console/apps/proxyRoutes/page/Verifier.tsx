import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import { Dialog, DialogBody } from '#console/ui/dialog/Dialog.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';

const languages = ['Node', 'Python', 'Go'] as const;

/** The code with which a back end verifies a signature, taken from the docs, where tests run it. */
export function Verifiers() {
  const [shown, setShown] = useState<string>();
  return (
    <>
      <p className={css.note}>
        Check the signature before you trust the headers:{' '}
        {languages.map((language, at) => (
          <Fragment key={language}>
            {at > 0 && ', '}
            <button type="button" className={css.asLink} onClick={() => setShown(language)}>
              {language}
            </button>
          </Fragment>
        ))}
      </p>
      {shown && <Verifier language={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Verifier({ language, onClose }: { language: string; onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ['verifiers'],
    queryFn: async () => (await import('#docs/app-proxy.md?raw')).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog title={`Check a signature in ${language}`} onClose={onClose}>
      <DialogBody>
        {data ? <CodeSample label={language} text={codeUnder(data, language)} /> : <Skeleton lines={6} />}
      </DialogBody>
    </Dialog>
  );
}

/** The first code block below a heading. */
function codeUnder(text: string, heading: string): string {
  const [, below = ''] = text.split(`\n### ${heading}\n`);
  return /```[^\n]*\n(.*?)\n```/s.exec(below)?.[1] ?? '';
}
