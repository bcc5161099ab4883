/**
 * Searches, lists and shows notes of `many-writer` until a line arrives on standard input; throws on an error and on a
 * note that is not whole. Prints how many rounds it made.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Memory } from '../../src/store/memory.js';
import type { NoteJson } from '../../src/store/note-json.js';

const [home = '', name = ''] = process.argv.slice(2);
const memory = new Memory({ home, machine: name, user: 'self' });
let isOver = false;
process.stdin.once('data', () => {
  isOver = true;
});
process.stdout.write('ready\n');

const check = ({ id, title, body = '' }: NoteJson): void => {
  const [, writer, number] = /^(.+) note (\d+)$/.exec(title) ?? [];
  if (body === `written by ${writer}, number ${number}\n`) return;
  throw new Error(`${id} is not whole: ${JSON.stringify({ title, body })}`);
};

let asked = 0;
while (!isOver) {
  const { hits } = await memory.search(`written number ${asked % 50}`, { k: 5 });
  const { notes, total } = await memory.list({}, 5);
  if (notes.length !== Math.min(5, total)) throw new Error(`${notes.length} notes listed of ${total}`);
  for (const { id } of [...hits, ...notes]) {
    const shown = await memory.show(id);
    if (!shown.ok) throw new Error(`${id} was found, but can't be shown: ${shown.refusal.message}`);
    check(shown.answer);
  }
  asked += 1;
  // Readers that never rest would leave the writers no processor.
  await sleep(5);
}
await memory.finish();
process.stdout.write(`${asked}\n`);
process.stdin.destroy();
