import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteCheck } from '../../../src/setup/doctor/remote.js';
import { originUrl, setRemote } from '../../../src/sync/remote.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { openStore, personsGit, writeNote } from '../../support/store.js';
import { openPatient, type Patient } from './support.js';

let patient: Patient;
let bare: string;
beforeEach(async () => {
  patient = await openPatient({ notes: 2 });
  bare = join(patient.folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
});
afterEach(() => patient.remove());

const synced = (): Promise<unknown> =>
  patient.with(async (memory) => {
    await setRemote(memory, bare);
    await syncStore(memory);
  });
const journal = (): string => patient.path('memory');

describe('the remote', () => {
  it('is ok when none is set', async () => {
    expect(await patient.find(remoteCheck)).toMatchObject([{ state: 'ok', message: expect.stringMatching(/^none/) }]);
  });
  it('is ok after a sync', async () => {
    await synced();
    expect(await patient.find(remoteCheck)).toMatchObject([{ state: 'ok', message: `synced with ${bare}` }]);
  });
  it('that plain git does not know is reported, and set by the fix', async () => {
    await synced();
    personsGit(journal(), 'remote', 'remove', 'origin');
    expect(await patient.find(remoteCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/no origin/) },
    ]);
    await patient.mend(remoteCheck);
    expect(originUrl(join(journal(), '.git'))).toBe(bare);
    expect(await patient.find(remoteCheck)).toMatchObject([{ state: 'ok' }]);
  });
  it('that fails is reported with the time of the last sync', async () => {
    await synced();
    rmSync(bare, { recursive: true });
    await patient.with((memory) => syncStore(memory));
    expect(await patient.find(remoteCheck)).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/^not synced since .*1 attempt/) },
    ]);
  });
  it('is ok, or tells of no sync yet, before the first note', async () => {
    const empty = await openPatient({ notes: 0 });
    try {
      await empty.with((memory) => setRemote(memory, bare));
      expect(await empty.find(remoteCheck)).not.toContainEqual(expect.objectContaining({ state: 'problem' }));
    } finally {
      await empty.remove();
    }
  });
  it('names a kept head until main contains it', async () => {
    await synced();
    personsGit(journal(), 'update-ref', 'refs/anamnesis/rescue/A', 'main~1');
    expect(await patient.find(remoteCheck)).toMatchObject([{ state: 'ok' }]);
    const apart = personsGit(journal(), 'commit-tree', '-m', 'apart', 'main^{tree}').trim();
    personsGit(journal(), 'update-ref', 'refs/anamnesis/rescue/B', apart);
    const [found, ...others] = await patient.find(remoteCheck);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'warning', message: expect.stringMatching(/^1 head was kept .*rescue\/B$/) });
  });
  it('is reported when the last sync was more than a week ago', async () => {
    await synced();
    const nowMs = (): number => Date.now() + 8 * 24 * 3_600_000;
    expect(await patient.find(remoteCheck, { nowMs })).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/8 days ago/) },
    ]);
  });
  it('that was rewritten leaves a rescued head, which is reported', async () => {
    await synced();
    rmSync(bare, { recursive: true });
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
    const other = openStore();
    await setRemote(other.memory, bare);
    await writeNote(other.memory);
    await syncStore(other.memory);
    await other.close();
    await patient.with((memory) => syncStore(memory, { acceptRewrite: true }));
    const messages = (await patient.find(remoteCheck)).map(({ message }) => message);
    expect(messages.some((message) => message.includes('refs/anamnesis/rescue/'))).toBe(true);
  });
});
