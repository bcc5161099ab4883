import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../support.js';

let home: ReturnType<typeof openHome>;
beforeAll(async () => {
  home = openHome();
  await home.run(['write', 'Deploys need the VPN', '--body', 'The registry hangs without it.']);
  await home.run(['write', 'VPN certificates', '--body', 'They expire in May.']);
  await home.run(['write', 'Backups of the office', '--body', 'The office has a second VPN.', '--project', 'other']);
});
afterAll(() => home.remove());

const explained = async (...words: readonly string[]): Promise<string> =>
  (await home.run(['search', ...words, '--explain'])).stdout;

describe('search --explain', () => {
  it('says what the project of a hit adds to it', async () => {
    const text = await explained('vpn');
    expect(text.match(/times 1\.5 for its project/g)).toHaveLength(2);
  });
});

describe('recall --explain', () => {
  it('says why a note that is relevant enough to be named was not', async () => {
    const told = (await home.run(['recall', 'the registry hangs without the vpn', '--explain'])).stdout;
    expect(told).toMatch(/VPN certificates \(neither shown nor named, since others fit far better\)\n/);
    expect((await home.run(['recall', 'do certificates of bakers expire', '--explain'])).stdout).not.toContain(
      'since others',
    );
  });
});
