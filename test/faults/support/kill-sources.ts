/** Folders to import and transcripts to capture, which grow between uses. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transcript } from '../../support/transcripts.js';
import { absent, bodyText, type Model, type NoteState, type Slot } from './kill-model.js';
import type { Planned } from './kill-plan.js';
import type { Random } from './machines-random.js';

export type Sources = { importFolder(): Planned; capture(): Planned };

export const openSources = (
  random: Random,
  model: Model,
  folder: string,
  newName: (kind: string) => string,
): Sources => {
  // A source written here is read when the command runs, and later plans of the same round may have written more.
  const folders: { readonly path: string; readonly slots: Slot[]; readonly written: Map<Slot, number> }[] = [];
  const importFolder = (): Planned => {
    let found = folders.length < 2 || random.chance(0.3) ? undefined : random.pick(folders);
    if (found === undefined) {
      found = { path: join(folder, newName('import')), slots: [], written: new Map() };
      mkdirSync(found.path);
      folders.push(found);
    }
    const { path, slots, written } = found;
    const touched = slots.filter(() => random.chance(0.5));
    for (const slot of touched) slot.version += 1;
    while (slots.length < 5 && (touched.length === 0 || random.chance(0.6))) {
      const slot = model.add(newName('i'), absent);
      slot.isPlain = true;
      slots.push(slot);
      touched.push(slot);
    }
    const stateOf = (slot: Slot): NoteState => ({
      alive: true,
      body: bodyText(slot.name, written.get(slot) ?? 0).trimEnd(),
      title: `foreign ${slot.name}`,
      tags: undefined,
      scope: 'portable',
      supersedes: [],
    });
    for (const slot of touched) {
      const { name, version } = slot;
      written.set(slot, version);
      writeFileSync(join(path, `${name}.md`), `---\ntitle: foreign ${name}\n---\n${bodyText(name, version)}`);
    }
    return {
      asked: { do: 'import', folder: path },
      began() {
        for (const slot of slots) model.began(slot, (state) => ({ ...stateOf(slot), scope: state.scope }));
      },
      told(told) {
        if (told.tell === 'blocked' && !slots.some(({ isUnfinished }) => isUnfinished))
          return [`an import was blocked, though none of its files was left unfinished: ${told.message}`];
        if (told.tell !== 'imported') return [];
        for (const slot of slots.filter(({ isPlain, undone }) => isPlain && undone === 0))
          model.must(slot, stateOf(slot));
        return [];
      },
    };
  };

  type Session = { readonly path: string; readonly slot: Slot; readonly transcript: Transcript; text: string };
  const sessions: Session[] = [];
  const capture = (): Planned => {
    let found = sessions.length < 2 || random.chance(0.5) ? undefined : random.pick(sessions);
    if (found === undefined) {
      const name = newName('c');
      const transcript = new Transcript({ session: `session-${name}`, cwd: '/work/shop', seed: sessions.length + 1 });
      transcript.prompt(`Begin with slot ${name} version 0.`);
      found = { path: join(folder, `session-${name}.jsonl`), slot: model.add(name, absent), transcript, text: '' };
      sessions.push(found);
    }
    const session = found;
    const { path, slot, transcript } = session;
    slot.version += 1;
    const text = `slot ${slot.name} version ${slot.version}.`;
    transcript.prompt(`Now ${text}`);
    transcript.tool('Edit', { file_path: `/work/shop/src/${slot.name}.ts`, old_string: '1', new_string: '2' });
    transcript.reply(`Done with ${text}`);
    writeFileSync(path, transcript.text());
    session.text = text;
    const stateOf = (scope: string): NoteState => ({
      alive: true,
      body: session.text,
      isPart: true,
      title: undefined,
      tags: undefined,
      scope,
      supersedes: [],
    });
    return {
      asked: { do: 'capture', transcript: path },
      began: () => model.began(slot, ({ scope }) => stateOf(scope)),
      told(told) {
        if (told.tell !== 'captured' || told.status !== 'recorded') return [];
        slot.id ??= told.note;
        const { text } = session;
        if (told.body?.includes(text) !== true)
          return [`the capture of ${slot.name} does not say ${text}: ${told.body}`];
        model.must(slot, stateOf(slot.states.find(({ alive }) => alive)?.scope ?? 'portable'));
        model.texts.add(text);
        return [];
      },
    };
  };

  return { importFolder, capture };
};
