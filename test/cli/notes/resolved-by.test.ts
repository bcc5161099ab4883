import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../support.js';

let home: ReturnType<typeof openHome>;
beforeAll(async () => {
  home = openHome();
  await home.run(['write', 'Uploads fail with 413', '--body', 'The proxy answers entity too large.']);
  await home.run(['write', 'Set client_max_body_size', '--body', 'Twenty megabytes in nginx.']);
});
afterAll(() => home.remove());

describe('edit --resolved-by', () => {
  it('accepts a title, and search shows the note under the one that it resolves', async () => {
    const { stdout } = await home.run(['edit', 'Uploads fail with 413', '--resolved-by', 'Set client_max_body_size']);
    expect(stdout).toMatch(/^recorded note\.edited \w{6} Uploads fail with 413\n$/);
    const table = (await home.run(['search', 'uploads'])).stdout;
    expect(table).toMatch(/^1\. {2}Uploads[\s\S]*\n\+ {3}Set client_max_body_size\n[\s\S]*\n {4}resolves \w{6}\n/);
    expect((await home.run(['show', 'Uploads fail with 413'])).stdout).toMatch(
      /links +resolved-by \w{6} Set client_max_body_size/,
    );
  });

  it('with none removes the link', async () => {
    await home.run(['edit', 'Uploads fail with 413', '--resolved-by', 'none']);
    expect((await home.run(['search', 'uploads'])).stdout).not.toContain('client_max_body_size');
  });
});
