import { expect, it } from 'vitest';
import { openHome } from '../support.js';

it('write and edit say when the note expires, at the end of a day given', async () => {
  const home = openHome();
  try {
    const { stdout } = await home.run(['write', 'The freeze', '--body', 'x', '--expires', '2036-12-31']);
    const [, short = ''] = /note\.written (\w{6}) The freeze\nexpires 2036-12-31 23:59 UTC\n$/.exec(stdout) ?? [];
    expect(short).not.toBe('');
    expect((await home.run(['edit', short, '--expires', '2037-01-31 12:00'])).stdout).toMatch(
      /The freeze\nexpires 2037-01-31 12:00 UTC\n$/,
    );
    expect((await home.run(['edit', short, '--importance', '1'])).stdout).not.toContain('expires');
    expect((await home.run(['edit', short, '--expires', 'none'])).stdout).not.toContain('expires');
  } finally {
    home.remove();
  }
});
