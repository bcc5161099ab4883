import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultOf } from '../../src/state/environment-probe.js';
import { bundleChild, startChild } from '../support/children.js';
import { byLength, isLong } from '../support/run-length.js';
import { openStore, personsGit, type TestStore, writeNote } from '../support/store.js';
import { reportLine } from './support/report.js';

const saves = byLength(80, 160, 2000);
const [shortestMs, longestMs] = isLong ? [10, 60] : [5, 30];

describe('a program that keeps saving a note while commands change it', () => {
  let program = '';
  let store: TestStore;
  beforeAll(async () => {
    program = await bundleChild('saving-editor');
  });
  afterEach(async () => {
    await store.close();
  });

  it.each(['rename', 'in-place', 'append'])(
    'loses no save (%s)',
    async (how) => {
      store = openStore();
      const { id, path = '' } = await writeNote(store.memory, { body: 'begin\n' });
      const args = [path, how, String(saves), String(shortestMs), String(longestMs)];
      const editor = startChild(program, args);
      let isSaving = true;
      const ended = editor.ended.finally(() => {
        isSaving = false;
      });
      let commands = 0;
      let refused = 0;
      for (let at = 0; isSaving; at += 1) {
        const change = at % 2 === 0 ? { add: [`t${at % 5}`], remove: [] } : { add: [], remove: [`t${(at - 1) % 5}`] };
        // Refused while the file is half saved, and timed out when saves come faster than they can be adopted.
        const status = await store.memory.perform({ kind: 'tag', id, ...change }).then(
          (answer) => answer.status,
          (error: unknown) => (faultOf(error, '')?.code === 'lock-timeout' ? 'refused' : Promise.reject(error)),
        );
        commands += 1;
        if (status === 'refused') refused += 1;
      }
      const { code, stdout, stderr } = await ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await store.memory.adopt('hold');
      await store.memory.finish();
      const { folder } = store.memory.journals.portable;
      // If both sides add a line in one place, the other text becomes a conflict copy; thousands of those are a lot.
      const grep = execFileSync('git', ['grep', '-h', 'save ', 'main'], { cwd: folder, maxBuffer: 2 ** 30 });
      const kept = new Set(`${readFileSync(path, 'utf8')}\n${grep.toString('utf8')}`.split('\n'));
      const isInHistory = (line: string): boolean => personsGit(folder, 'log', '--oneline', '-S', `${line}\n`) !== '';
      const lines = Array.from({ length: saves }, (_, at) => `save ${at} of ${how}`);
      const lost = lines.filter((line) => !kept.has(line) && !isInHistory(line));
      reportLine(
        `${saves} saves (${how}) during ${commands} commands: ${lost.length} lost, ${refused} commands refused, ` +
          `${stdout.trim()} times no file to read`,
      );
      expect(lost).toEqual([]);
    },
    byLength(60_000, 60_000, 300_000),
  );
});
