import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importNotes } from '../../src/app/intake.js';
import { readProposals, settleProposals } from '../../src/app/reviewing.js';
import { appOver, openStore } from '../support/store.js';

it("somebody else's notes are found and marked, and offered to no agent until they are accepted", async () => {
  const { home, memory, close } = openStore();
  const { notes } = appOver(memory);
  const file = join(home, 'theirs.jsonl');
  writeFileSync(file, '{"id":"a","title":"Deploys need the VPN","body":"Or the registry hangs.","project":"shop"}\n');
  expect(await importNotes(memory, file, { untrusted: true })).toMatchObject({ ok: true });
  const { hits } = await notes.search('registry', {});
  expect(hits).toMatchObject([{ untrusted: true, title: 'Deploys need the VPN' }]);
  expect((await notes.inject('shop')).text).toBe('');
  const ids = (await readProposals(memory, {}, 10)).proposals.map(({ newer }) => newer.id);
  expect(await settleProposals(memory, { ids, verdict: 'accept' })).toMatchObject({ ok: true });
  expect((await notes.inject('shop')).text).toContain('Deploys need the VPN');
  await close();
});
