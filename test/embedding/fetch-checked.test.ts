/** Fetching a model's file from an address: it is checked before it is loaded. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { fetchChecked } from '../../src/embedding/fetch-checked.js';
import { temporaryFolder } from '../support/store.js';

const serve = async (answer: (response: ServerResponse) => unknown): Promise<string> => {
  const server = createServer((_, response) => void answer(response));
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/model`;
};
const newFolder = (): string => {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'models');
};
const sha256 = createHash('sha256').update('vectors').digest('hex');
const other = '0'.repeat(64);

it('returns a file that has one of the hashes and leaves nothing of it in the folder', async () => {
  const address = await serve((response) => response.end('vectors'));
  const folder = newFolder();
  expect(await fetchChecked(address, [other, sha256], { maxBytes: 7, folder })).toEqual({
    ok: true,
    value: { sha256, bytes: Buffer.from('vectors') },
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('returns only the hash of a file if it is another one', async () => {
  const address = await serve((response) => response.end('vectors'));
  const folder = newFolder();
  expect(await fetchChecked(address, [other], { maxBytes: 7, folder })).toEqual({ ok: true, value: { sha256 } });
  expect(readdirSync(folder)).toEqual([]);
});

it('reports a file that is missing, too large, cut off or cannot be stored', async () => {
  const folder = newFolder();
  const fetchFrom = async (answer: (response: ServerResponse) => unknown, into = folder) =>
    fetchChecked(await serve(answer), [sha256], { maxBytes: 6, folder: into });
  expect(await fetchFrom((response) => response.writeHead(404).end())).toEqual({ ok: true, value: undefined });
  expect(await fetchFrom((response) => response.end('vectors'))).toMatchObject({
    problem: { code: 'model-too-large' },
  });
  const cut = await fetchFrom((response) => {
    response.writeHead(200, { 'content-length': '6' }).write('vec', () => response.destroy());
  });
  expect(cut).toMatchObject({ problem: { message: 'the address could not be read: the request failed' } });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'file'), '');
  expect(await fetchFrom((response) => response.end('v'), join(folder, 'file'))).toMatchObject({
    problem: { message: expect.stringMatching(/can't be kept in .*file while it is checked: E/) },
  });
});

it('does not hold a file in memory during the download', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const piece = Buffer.alloc(1024 * 1024);
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  let peak = 0;
  const address = await serve(async (response) => {
    const before = held();
    for (let sent = 0; sent < 96; sent += 1) {
      if (!response.write(piece)) await once(response, 'drain');
      if (sent % 8 === 7) peak = Math.max(peak, held() - before);
    }
    response.end();
  });
  await fetchChecked(address, [other], { maxBytes: 96 * piece.length, folder: newFolder() });
  // About 20 MiB are in transit between the two, however large the file is.
  expect(peak).toBeLessThan(48 * piece.length);
});
