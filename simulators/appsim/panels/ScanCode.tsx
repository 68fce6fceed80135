import { useEffect, useRef, useState } from 'react';
import { claimCodeIn, isClaimCode } from './claimCode.ts';
import css from './panels.module.css';

/** The part of `BarcodeDetector` that is used; not every browser has it. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
}

export function mayScan(): boolean {
  return detectorClass() !== undefined && navigator.mediaDevices !== undefined;
}

const lookEveryMs = 200;

/** Reads the code from the camera. */
export function ScanCode({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<string>();
  const found = useRef(onCode);
  found.current = onCode;
  useEffect(() => {
    const Detect = detectorClass();
    if (!Detect) return;
    const detector = new Detect({ formats: ['qr_code'] });
    let stream: MediaStream | undefined;
    let isOver = false;
    async function look(from: HTMLVideoElement) {
      const codes = await detector.detect(from).catch(() => []);
      const code = codes.map(({ rawValue }) => claimCodeIn(rawValue)).find(isClaimCode);
      if (isOver) return;
      if (code) found.current(code);
      else setTimeout(() => void look(from), lookEveryMs);
    }
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      async camera => {
        stream = camera;
        if (isOver || !video.current) return stop();
        video.current.srcObject = camera;
        await video.current.play();
        void look(video.current);
      },
      () => setFault('The camera cannot be used. Allow it for this page, or type the code.'),
    );
    function stop() {
      isOver = true;
      for (const track of stream?.getTracks() ?? []) track.stop();
    }
    return stop;
  }, []);
  if (fault)
    return (
      <p role="alert" className={css.quiet}>
        {fault}
      </p>
    );
  return <video ref={video} className={css.camera} muted playsInline aria-label="Camera" />;
}
