/** The first prompt of a session whose start reached no hook, in a store with more notes than there is room for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../../cli/support.js';

let home: TestHome;
beforeAll(async () => {
  home = openHome();
  const fitting = {
    id: 'oldest',
    title: 'Restoring the ledger backup',
    body: 'Stop the ledger, fetch the newest backup from the vault and restore it.',
    project: 'shop',
    created_at: '2025-01-01T00:00:00Z',
  };
  const others = Array.from({ length: 250 }, (_, at) => ({
    id: `other-${at}`,
    title: `Rule ${at} of the storefront`,
    body: `Colour number ${at} belongs to shelf ${at} of the storefront. `.repeat(6),
    project: 'shop',
    created_at: '2026-01-01T00:00:00Z',
  }));
  const file = join(home.work, 'notes.jsonl');
  writeFileSync(file, [fitting, ...others].map((note) => `${JSON.stringify(note)}\n`).join(''));
  await home.json(['import', file, '--from', 'jsonl', '--no-sync']);
});
afterAll(() => home.remove());

describe('the first prompt of a session without a SessionStart', () => {
  it('gets the notes that match it as well as those that a start brings', () => {
    const prompt = 'how do I restore the ledger backup from the vault?';
    const payload = { session_id: 'unstarted', cwd: home.work, prompt };
    const { stdout } = home.spawn(['hook', 'UserPromptSubmit'], { input: JSON.stringify(payload) });
    const context: string = JSON.parse(stdout).hookSpecificOutput.additionalContext;
    expect(context).toContain('fetch the newest backup from the vault');
    expect(context).toMatch(/Rule \d+ of the storefront/);
    expect(stdout.length).toBeLessThan(10_000);
  });
});
