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
  it('says once what the shared project of all hits adds to them', async () => {
    const text = await explained('deploys', 'certificates');
    expect(text.match(/for its project/g)).toBeNull();
    expect(text).toMatch(/^project +times 1\.5 for every hit: all are of one project$/m);
  });

  it('says it for each hit when they are of several projects', async () => {
    const text = await explained('vpn');
    expect(text.match(/times 1\.5 for its project/g)).toHaveLength(2);
    expect(text).not.toContain('for every hit');
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
