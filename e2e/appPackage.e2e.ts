import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#contract/app.ts';
import { connectDevice } from '#sdk/device.ts';
import { newestMail } from '#test/newcomer.ts';
import { test } from './devicePage.ts';
import { anEmail, expect } from './world.ts';

test('the lines of the installed package bring a newcomer to a live device', async ({
  platform,
  developer,
  project,
  device,
}) => {
  const params = { projectId: project.id };
  await developer.client.call(createApp, { params, body: { id: 'lamps' } });
  const lamp = connectDevice({ url: platform.url, deviceId: device.id, apiKey: device.apiKey });
  lamp.onDelta(({ state }) => void lamp.reportState(state));
  lamp.onCommand('blink', args => ({ blinked: args }));
  const folder = mkdtempSync(join(tmpdir(), 'mooring-app-sdk-'));
  const install = ['install', `${platform.url}/sdk/mooring-app.tgz`, '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: folder, stdio: 'ignore' });

  const readme = readFileSync(join(folder, 'node_modules/@mooring/app/README.md'), 'utf8');
  const [email, guest] = [anEmail('mari'), anEmail('jaan')];
  const lines = (/```js\n(.*?)```/s.exec(readme)?.[1] ?? '')
    .replace('https://mooring.example.com', platform.url)
    .replace('thermo@prj_…', `lamps@${project.id}`)
    .replace('mari@example.com', email)
    .replace('jaan@example.com', guest);
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(23);
  writeFileSync(join(folder, 'lamp.mjs'), lines);
  const running = spawn(process.execPath, ['lamp.mjs'], {
    cwd: folder,
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  let said = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const heard = (text: string) => expect.poll(() => said, { timeout: 15_000 }).toContain(text);
  try {
    await heard('Code from the e-mail: ');
    const mail = await newestMail(platform.url, email);
    running.stdin.write(`${/\b\d{6}\b/.exec(mail?.text ?? '')?.[0]}\n`);
    await heard('Claim code of the device: ');
    running.stdin.write(`${device.claimCode}\n`);
    await heard('true { on: true } { on: true }');
    await heard('{ blinked: { times: 3 } }');
    await expect.poll(async () => (await newestMail(platform.url, guest))?.subject).toContain('Home');
  } finally {
    running.kill();
    lamp.close();
    rmSync(folder, { recursive: true });
  }
});
