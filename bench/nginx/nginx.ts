import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const clockTicksPerS = 100;

/** Starts nginx with one worker, so that its CPU time is that of one process. Undefined: nginx is not installed. */
export async function startNginx(
  dir: string,
  { port, http }: { port: number; http: string },
): Promise<{ pid: number; stop(): void } | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const config = join(dir, `nginx-${port}.conf`);
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${dir}/nginx-${port}.pid; error_log stderr crit;
     events { worker_connections 2048; }
     http { access_log off; ${http} }`,
  );
  const child = spawn('nginx', ['-p', dir, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await answers(port))) await wait(20);
  return { pid: child.pid ?? 0, stop: () => child.kill() };
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** The CPU time that a process has used. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicksPerS;
}
