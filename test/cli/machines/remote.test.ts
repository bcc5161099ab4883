import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome } from '../support.js';

it('remote and sync say what is wrong with a remote, with the whole command that creates one', async () => {
  const home = openHome();
  try {
    await home.json(['write', 'Deploys need the VPN', '--body', 'x']);
    expect((await home.run(['remote', 'set', ''])).stderr).toMatch(
      /^anamnesis: the address of the remote is empty; give a path, /,
    );
    const path = join(home.folder, 'gone.git');
    await home.run(['remote', 'set', path]);
    const { stdout, stderr } = await home.run(['sync']);
    expect(stdout + stderr).toContain(
      `create it there: git init --bare --initial-branch=main ${path}; or give another address`,
    );
  } finally {
    home.remove();
  }
});
