/** anamnesis init-store, verify and compact: create the store, check it, and repack it. */
import type { Command } from 'commander';
import type { CompactedStore } from '../../answers/store-schema.js';
import { compactStore } from '../../maintenance/compacting.js';
import { verifyStore } from '../../maintenance/verifying.js';
import type { JsonOption } from '../answer.js';
import { exitCodes } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatTable } from '../table.js';

export const initStoreCommand = (): Command =>
  subcommand('init-store', 'Create the store (the first write does it too)', [
    'init-store',
    'init-store --json',
  ]).action(({ json }: JsonOption) =>
    withApp(async (app) => {
      const root = app.settings.home;
      const created = await (await app.whole()).initialise();
      if (json === true) printJson({ root, created });
      else print(`${created ? ink('green', 'created') : ink('dim', 'unchanged')} ${cleanLine(root)}\n`);
    }),
  );

export const verifyCommand = (): Command =>
  subcommand('verify', 'Check that every note and event in the journals can be read', [
    'verify',
    'verify --json',
  ]).action(({ json }: JsonOption) =>
    withApp(async (app) => {
      const answer = await verifyStore(await app.whole());
      const { ok, notes, events, problems } = answer;
      if (json === true) printJson(answer);
      else {
        const state = ok ? ink('green', 'intact') : ink('red', 'damaged');
        print(`${state}: ${counted(notes, 'note')}, ${counted(events, 'event')}\n`);
        for (const { journal, kind, detail } of problems)
          print(`${ink('yellow', kind)} ${journal}: ${cleanLine(detail)}\n`);
      }
      if (ok) return;
      process.exitCode = exitCodes.damaged;
      const found = counted(problems.length, 'problem');
      say(`anamnesis: ${found} in the journals; fix the named files, then run: anamnesis adopt`);
    }),
  );

export const compactCommand = (): Command =>
  subcommand('compact', 'Repack the journals, so that they take less space and history is found faster', [
    'compact',
    'compact --full',
    'compact --json',
  ])
    .option('--full', 'one pack per journal (default: as few packs as is worth the work)')
    .action(({ full, json }: JsonOption & { readonly full?: true }) =>
      withApp(async (app) => {
        const memory = await app.whole();
        const answer = memory.exists() ? await compactStore(memory, { full }) : { journals: [], ms: 0 };
        const { journals, ms } = answer;
        if (json === true) printJson(answer);
        else if (journals.length === 0) print(`${ink('dim', 'unchanged')} there are no events yet\n`);
        else print(`${ink('green', 'compacted')} in ${ms} ms\n${formatTable(columns, journals)}`);
      }),
    );

const columns = [
  { head: 'journal', of: ({ journal }: CompactedStore['journals'][number]) => journal, style: 'cyan' },
  { head: 'packs', of: ({ before, after }: CompactedStore['journals'][number]) => `${before.packs} → ${after.packs}` },
  {
    head: 'size',
    of: ({ before, after }: CompactedStore['journals'][number]) => `${sizeOf(before.bytes)} → ${sizeOf(after.bytes)}`,
  },
] as const;

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
