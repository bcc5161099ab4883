/**
 * Acts as a person's editor: adds a line to the file of a note and saves it, again and again. Arguments: the file, how
 * it saves, how often, and the shortest and longest pause in milliseconds. Prints how often it found no file to read.
 */
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , file = '', how = '', count = '0', shortest = '0', longest = '0'] = process.argv;

const waits: number[] = [];
const read = async (): Promise<string> => {
  for (let wait = 0; ; wait += 1) {
    try {
      const text = readFileSync(file, 'utf8');
      if (text !== '') return text;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
    waits.push(wait);
    await sleep(1);
  }
};

for (let at = 0; at < Number(count); at += 1) {
  const line = `save ${at} of ${how}\n`;
  if (how === 'append') appendFileSync(file, line);
  else {
    const text = (await read()) + line;
    if (how === 'in-place') writeFileSync(file, text);
    else {
      writeFileSync(`${file}~`, text);
      renameSync(`${file}~`, file);
    }
  }
  await sleep(Number(shortest) + Math.random() * (Number(longest) - Number(shortest)));
}
process.stdout.write(`${waits.length}\n`);
