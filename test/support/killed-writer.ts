/**
 * Runs an order (a JSON file named by the argument) on a store and kills itself at the ordered point. Reports on
 * standard output what began and what was acknowledged, one JSON line each.
 */
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { captureTranscript } from '../../src/agents/capturing.js';
import { moveNote } from '../../src/app/moving.js';
import { undoEvent } from '../../src/app/undoing.js';
import { journalNames } from '../../src/events/note/note.js';
import { importPath } from '../../src/import/importing.js';
import { backUp } from '../../src/maintenance/backup/backing-up.js';
import { compactStore } from '../../src/maintenance/compacting.js';
import { replayStore } from '../../src/maintenance/replaying.js';
import { verifyStore } from '../../src/maintenance/verifying.js';
import { notesOfEvent } from '../../src/projections/history/query.js';
import { purgeStore } from '../../src/purge/purging.js';
import { openAgentState } from '../../src/state/agent-state.js';
import { Memory } from '../../src/store/memory.js';
import { setRemote } from '../../src/sync/remote.js';
import { syncStore } from '../../src/sync/syncing.js';
import type { Asked, CheckReport, Order, SeenNote, Sent, Told } from '../faults/support/kill-orders.js';
import { watchSideEffects } from '../faults/support/kill-points.js';

const writeOut = fs.writeSync;
const tell = (told: Told): void => {
  writeOut(1, `${JSON.stringify(told)}\n`);
};

const order: Order = JSON.parse(fs.readFileSync(process.argv[2] ?? '', 'utf8'));

/** A git that reaches a remote is in its own process group. */
const groups: number[] = [];

const points = watchSideEffects({
  die(point) {
    tell({ tell: 'dying', point });
    if (order.kill?.group !== true) process.kill(process.pid, 'SIGKILL');
    for (const group of [...groups, process.pid]) killGroup(group);
    for (;;);
  },
  onGroup(pid) {
    groups.push(pid);
    tell({ tell: 'group', pid });
  },
});

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

const memory = new Memory(
  { home: order.home, machine: order.machine, user: 'self' },
  { step: (name) => points.reach(`step ${name}`) },
);

const perform = async ({ command, commandId }: Sent, at: number, part: number): Promise<void> => {
  const answer = await memory.perform(command, { commandId });
  if (answer.status === 'refused') {
    tell({ tell: 'answered', at, part, status: 'refused', code: answer.refusal.code });
  } else {
    tell({ tell: 'answered', at, part, status: answer.status, note: answer.note?.id });
  }
};

const capture = async (transcript: string, at: number): Promise<void> => {
  await memory.initialise();
  const state = openAgentState(join(order.home, 'agents.db'));
  try {
    const done = await captureTranscript(memory, state, {
      transcript,
      source: 'session-end',
      project: 'p',
      userHome: order.userHome,
    });
    const note = done.status === 'captured' ? done.answer.note : undefined;
    tell({
      tell: 'captured',
      at,
      status: done.status === 'captured' ? done.answer.status : done.status,
      note: note?.id,
      body: note?.body,
    });
  } finally {
    state.close();
  }
};

const look = async (): Promise<Pick<Extract<Told, { tell: 'seen' }>, 'notes' | 'undone'>> => {
  const { notes } = await memory.list({}, 10_000);
  const undone: Record<string, number> = {};
  const undoings = await memory.events({ kind: 'event.undone' }, 10_000);
  await memory.liveIndex.ask((database) => {
    for (const event of undoings) for (const id of notesOfEvent(database, event)) undone[id] = (undone[id] ?? 0) + 1;
  });
  const seen: SeenNote[] = [];
  for (const { id } of notes) {
    const found = await memory.show(id);
    if (!found.ok) {
      // Another writer may have forgotten it since.
      const isListed = (await memory.list({}, 10_000)).notes.some((note) => note.id === id);
      if (isListed) throw new Error(`${id} is listed but can't be shown: ${found.refusal.message}`);
      continue;
    }
    const { scope, title, tags, body = '', version, supersedes = [], prov_source } = found.answer;
    seen.push({ id, scope, title, tags, body, version, supersedes, source: prov_source });
  }
  return { notes: seen, undone };
};

const check = async (): Promise<CheckReport> => {
  const settled = await memory.adopt('record');
  const left = journalNames.flatMap((name) => settled[name].left.map(({ path, reason }) => `${path}: ${reason}`));
  const verified = await verifyStore(memory);
  const replayed = await replayStore(memory, { verify: true });
  const repeated = await memory.liveIndex.ask((database) =>
    database
      .prepare<[], { command_id: string }>(
        'SELECT command_id FROM events WHERE command_id IS NOT NULL GROUP BY command_id, journal HAVING count(*) > 1',
      )
      .all()
      .map(({ command_id }) => command_id),
  );
  return {
    problems: [...left, ...verified.problems.map(({ kind, detail }) => `${kind}: ${detail}`)],
    verified: replayed.verified === true,
    digest: replayed.digest,
    notes: verified.notes,
    events: verified.events,
    adopted: (await memory.events({ kind: 'hand.adopted' }, 10_000)).length,
    repeated,
  };
};

const runItem = async (asked: Asked, at: number): Promise<void> => {
  switch (asked.do) {
    case 'perform':
      await Promise.all(asked.sent.map((sent, part) => perform(sent, at, part)));
      return;
    case 'import': {
      // The source is named because an import of edited texts asks for it, if a kill came before it was recorded.
      const done = await importPath(memory, asked.folder, { project: 'p', source: basename(asked.folder) });
      if ('code' in done) throw new Error(done.message);
      if (done.answer.status === 'refused') {
        const { code, message } = done.answer.refusal;
        if (code !== 'file-blocked') throw new Error(message);
        tell({ tell: 'blocked', at, message });
        return;
      }
      const { imported = 0, updated = 0 } = done.answer.counts ?? {};
      tell({ tell: 'imported', at, imported, updated });
      return;
    }
    case 'capture':
      return capture(asked.transcript, at);
    case 'adopt':
      await memory.adopt('record');
      return;
    case 'undo':
      await undoEvent(memory, undefined);
      return;
    case 'replay':
      await replayStore(memory, {});
      return;
    case 'compact':
      await compactStore(memory, { full: asked.full });
      return;
    case 'backup': {
      const done = await backUp(memory, { file: asked.file, force: true }, Date.now());
      // There may be no store yet: all commands before this one may have been killed too early to make it.
      if (done.status === 'refused' && done.refusal.code !== 'store-missing') throw new Error(done.refusal.message);
      return;
    }
    case 'search':
      await memory.search(asked.text, {});
      return;
    case 'remote': {
      const set = await setRemote(memory, asked.url);
      if ('code' in set) throw new Error(set.message);
      return;
    }
    case 'sync': {
      const { outcome, detail } = await syncStore(memory);
      tell({ tell: 'synced', at, outcome, detail });
      return;
    }
    case 'purge': {
      const done = await purgeStore(memory, { what: { kind: 'note', id: asked.id } });
      if (!done.ok) tell({ tell: 'purged', at, status: 'refused', why: done.refusal.message, clean: false });
      else tell({ tell: 'purged', at, status: done.answer.status, why: '', clean: done.answer.clean });
      return;
    }
    case 'move': {
      const { id, scope, commandId } = asked;
      const answer = await moveNote(memory, id, { scope }, { commandId });
      if (answer.status === 'refused') tell({ tell: 'moved', at, status: 'refused', code: answer.refusal.code });
      else tell({ tell: 'moved', at, status: answer.status, note: answer.note?.id });
      return;
    }
    case 'look':
      tell({ tell: 'seen', at, settled: asked.settled, ...(await look()) });
      return;
    case 'check':
      tell({ tell: 'checked', at, report: await check() });
  }
};

/** The last item leaves the store tidy; it can be killed like any other. */
const items: readonly (() => Promise<void>)[] = [
  ...order.asked.map((asked, at) => () => runItem(asked, at)),
  () => memory.finish(),
];
for (const [at, act] of items.entries()) {
  tell({ tell: 'began', at });
  if (order.kill?.at === at) points.arm(order.kill.point);
  const before = points.passed();
  try {
    await act();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    tell({ tell: 'failed', at, why: `${error instanceof Error ? error.stack : String(error)}${code}` });
    process.exit(1);
  }
  tell({ tell: 'done', at, points: points.passed() - before });
}
tell({ tell: 'ended' });
