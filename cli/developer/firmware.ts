import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed } from '#contract/client.ts';
import { type Component, createComponent } from '#contract/component.ts';
import {
  type ComponentVersion,
  completeVersionUpload,
  createComponentVersion,
  editComponentVersion,
  filenameMax,
  readComponentVersion,
  readVersionUpload,
  startVersionUpload,
  type VersionUpload,
} from '#contract/componentVersion.ts';
import type { Project } from '#contract/project.ts';
import { type Call, type Command, exits, Failed, numberOf, projectOption, UsageFault } from './command.ts';
import { findComponent, findVersion, theProject } from './find.ts';
import { sendFile, sha256Of } from './sendFile.ts';
import { signatureBy, signerFor } from './sign.ts';

const lookMs = 1_000;
/** Verifying the largest file takes minutes; if the platform's worker is down, waiting is pointless. */
const verifyMaxS = 900;

export const firmwareUpload: Command = {
  name: 'firmware upload',
  plain: 'FILE',
  count: [1, 1],
  says: 'uploads a file as a version of a component, and creates both if they are missing',
  options: [
    projectOption,
    { name: 'component', takes: 'NAME', says: 'the component', needed: true },
    { name: 'version', takes: 'NAME', says: 'the version', needed: true },
    { name: 'security-version', takes: 'N', says: 'devices refuse versions with a lower one' },
    { name: 'sign-key', takes: 'FILE', says: 'an Ed25519 private key in PEM, to sign the version' },
    {
      name: 'wait',
      takes: 'SECONDS',
      says: `how long to wait for the file to be verified; ${verifyMaxS} by default`,
    },
  ],
  async run(call) {
    const { words, terminal } = call;
    const file = await theFile(words.plain[0] ?? '');
    const project = await theProject(call);
    const component = await theComponent(call, project);
    const signer = signerFor(component, words.value('sign-key'));
    const version = await theVersion(call, component);
    const isThere = version.state === 'ready';
    const signed = {
      project: project.id,
      component: component.name,
      version: version.name,
      securityVersion: version.securityVersion,
      size: file.bytes,
      sha256: file.sha256,
    };
    const signature = signer && signatureBy(signer, signed);
    const ready = isThere ? version : await upload(call, version, { ...file, signature });
    // Somebody else may have uploaded another file meanwhile.
    mustHaveFile(ready, component, file);
    const what = `Version ${ready.name} of ${component.name}`;
    terminal.answer(ready, [`${what} ${isThere ? 'was uploaded before' : 'uploaded'}: ${file.sha256}`]);
  },
};

function mustHaveFile(version: ComponentVersion, component: Component, { sha256 }: GivenFile): void {
  if (version.checksum === sha256) return;
  throw new Failed(
    exits.refused,
    'VERSION_HAS_FILE',
    `Version ${version.name} of ${component.name} has a different file. Upload this one as a new version.`,
  );
}

interface GivenFile {
  path: string;
  bytes: number;
  sha256: string;
}

async function theFile(path: string): Promise<GivenFile> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new UsageFault(`${path} is not a file.`);
  if (found.size === 0) throw new UsageFault(`${path} is empty.`);
  return { path, bytes: found.size, sha256: await sha256Of(path) };
}

async function theComponent(call: Call, { id: projectId }: Project): Promise<Component> {
  const name = call.words.must('component');
  const found = await findComponent(call, projectId, name);
  if (found) return found;
  call.terminal.say(`Creating component ${name}.`);
  return call.client.call(createComponent, { body: { projectId, name } });
}

/** Sets the security version if one is given; the platform refuses this once the version is part of a bundle. */
async function theVersion(call: Call, { id: componentId }: Component): Promise<ComponentVersion> {
  const { client, words } = call;
  const name = words.must('version');
  const securityVersion = numberOf(words, 'security-version');
  const found = await findVersion(call, componentId, name);
  if (!found) {
    const body = { componentId, name, ...(securityVersion !== undefined && { securityVersion }) };
    return client.call(createComponentVersion, { body });
  }
  const params = { versionId: found.id };
  if (securityVersion === undefined || securityVersion === found.securityVersion)
    return client.call(readComponentVersion, { params });
  return client.call(editComponentVersion, { params, body: { securityVersion } });
}

type Sent = GivenFile & { signature: { keyId: string; value: string } | undefined };

async function upload(call: Call, version: ComponentVersion, sent: Sent): Promise<ComponentVersion> {
  const { client, terminal, url } = call;
  const versionId = version.id;
  if (version.state !== 'verifying') {
    const open = (await unfinished(call, version, sent)) ?? (await start(call, versionId, sent));
    const { uploadId } = open;
    const onProgress = (done: number) => terminal.progress(progressText(done, sent.bytes));
    await sendFile({ path: sent.path, upload: open, url, onProgress });
    const { sha256, signature } = sent;
    const body = { sha256, ...(signature && { signature }) };
    await client.call(completeVersionUpload, { params: { versionId, uploadId }, body });
  }
  return verified(call, versionId);
}

async function verified({ client, terminal, words }: Call, versionId: string): Promise<ComponentVersion> {
  const waitS = numberOf(words, 'wait') ?? verifyMaxS;
  const endMs = performance.now() + waitS * 1000;
  terminal.progress('Verifying…');
  for (;;) {
    const now = await client.call(readComponentVersion, { params: { versionId } });
    if (now.state === 'ready') return now;
    if (now.state !== 'verifying')
      throw new Failed(
        exits.refused,
        'UPLOAD_FAILED',
        now.error ?? 'The file was not accepted. Upload it again.',
      );
    if (performance.now() + lookMs > endMs) throw stillVerifying(waitS);
    await pause(lookMs);
  }
}

const stillVerifying = (waitS: number) =>
  new Failed(
    exits.unavailable,
    'STILL_VERIFYING',
    `The file is uploaded, but was not verified within ${waitS} seconds. Run the command again to keep waiting: nothing is sent twice. If it stays like this, check that a process with the role "worker" is running.`,
  );

/** The interrupted upload, if it is of the same file. */
async function unfinished(
  { client, terminal }: Call,
  { id: versionId, uploadId }: ComponentVersion,
  { bytes, sha256 }: GivenFile,
): Promise<VersionUpload | undefined> {
  if (uploadId === undefined) return undefined;
  try {
    const found = await client.call(readVersionUpload, { params: { versionId, uploadId } });
    if (found.state !== 'open' || found.sizeBytes !== bytes || found.sha256 !== sha256) return undefined;
    terminal.say(`Resuming: ${found.stored.length} of ${found.urls.length} parts are stored.`);
    return found;
  } catch (error) {
    if (error instanceof CallFailed && error.reason === 'UPLOAD_NOT_FOUND') return undefined;
    throw error;
  }
}

function start(
  { client }: Call,
  versionId: string,
  { path, bytes, sha256 }: GivenFile,
): Promise<VersionUpload> {
  const filename = basename(path).slice(-filenameMax);
  return client.call(startVersionUpload, { params: { versionId }, body: { filename, bytes, sha256 } });
}

function progressText(done: number, all: number): string {
  const percent = Math.floor((100 * done) / all);
  return `Uploading: ${percent} % of ${(all / 1024 ** 2).toFixed(1)} MiB`;
}
