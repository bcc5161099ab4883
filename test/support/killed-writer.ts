/**
 * Runs random commands on a store and kills itself (SIGKILL) at the n-th step of the write path. Prints one JSON line
 * for each acknowledged command, after the acknowledgement.
 */
import { writeSync } from 'node:fs';
import type { Command } from '../../src/commands/command.js';
import { openMemory } from '../../src/memory/memory.js';

const [home = '', seedText = '0', stepText = '0', countText = '4', idsText = '[]'] = process.argv.slice(2);

let state = Number(seedText) >>> 0;
const random = (most: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};

let steps = 0;
const memory = openMemory(
  { home, machine: 'killbox', user: 'self' },
  {
    step: () => {
      steps += 1;
      if (steps === Number(stepText)) process.kill(process.pid, 'SIGKILL');
    },
  },
);

const parsed: unknown = JSON.parse(idsText);
const ids: string[] = Array.isArray(parsed) ? parsed.map(String) : [];
const write = (): Command => ({
  kind: 'write',
  type: (['semantic', 'procedural', 'episodic'] as const)[random(3)] ?? 'semantic',
  title: `note ${random(1e6)}`,
  body: `line one ${random(1e6)}\nline two\nline three\nline four\n`,
  project: 'p',
  scope: random(4) === 0 ? 'machine-local' : 'portable',
  tags: [],
  keywords: [],
  supersedes: [],
});

const randomCommand = (): Command => {
  const id = ids[random(ids.length)];
  if (id === undefined) return write();
  switch (random(9)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'edit', id, set: { body: `line one\nline two ${random(1e6)}\nline three\nline four\n` } };
    case 3:
      return { kind: 'tag', id, add: [`t${random(50)}`], remove: [] };
    case 4:
      return { kind: 'move', id, scope: random(2) === 0 ? 'portable' : 'machine-local' };
    case 5:
      return { kind: 'forget', id };
    case 6:
      return { kind: 'restore', id };
    default:
      return write();
  }
};

const acknowledge = (command: Command, note: { id: string; version: string } | undefined, status: string): void => {
  const id = note?.id ?? ('id' in command ? command.id : undefined);
  writeSync(1, `${JSON.stringify({ kind: command.kind, status, id, version: note?.version })}\n`);
};

for (let at = 0; at < Number(countText); at += 1) {
  // Two at once now and then, so that batches are killed too.
  const commands = random(3) === 0 ? [randomCommand(), randomCommand(), randomCommand()] : [randomCommand()];
  await Promise.all(
    commands.map(async (command) => {
      const answer = await memory.perform(command);
      if (answer.status === 'refused') return;
      if (command.kind === 'write' && answer.note !== undefined) ids.push(answer.note.id);
      acknowledge(command, answer.note, answer.status);
    }),
  );
}
await memory.finish();
writeSync(1, '"end"\n');
