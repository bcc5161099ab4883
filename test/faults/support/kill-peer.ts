/** Another machine that shares the remote: it is never killed, and writes between rounds. */
import { join } from 'node:path';
import { ulidGenerator } from '../../../src/events/ids.js';
import { runChild } from './kill-child.js';
import { bodyText, changeOf, type Model, type Slot } from './kill-model.js';
import type { Asked, Sent, Told } from './kill-orders.js';
import type { Planner } from './kill-plan.js';
import type { Random } from './machines-random.js';

const newUlid = ulidGenerator();

export type Peer = {
  /** Writes a little, edits notes of the machine that is killed, and syncs. */
  act(): Promise<void>;
  sync(): Promise<void>;
  /** Checks its store and returns the digest of its notes. */
  check(): Promise<string>;
};

type PeerOptions = {
  readonly program: string;
  readonly folder: string;
  readonly random: Random;
  readonly model: Model;
  readonly planner: Planner;
};

export const openPeer = ({ program, folder, random, model, planner }: PeerOptions): Peer => {
  const home = join(folder, 'peer');
  const send = async (asked: readonly Asked[], hear: (told: Told) => void = () => undefined): Promise<void> => {
    const order = { home, userHome: join(folder, 'home'), machine: 'otherbox', asked } as const;
    const { told: all, stderr } = await runChild(program, folder, order, undefined);
    if (stderr !== '') throw new Error(`the other machine: ${stderr}`);
    for (const told of all) {
      if (told.tell === 'failed') throw new Error(`the other machine: ${told.why}`);
      if (told.tell === 'synced' && told.outcome !== 'synced')
        throw new Error(`the other machine's sync ended ${told.outcome}: ${told.detail}`);
      hear(told);
    }
  };
  const connect: Asked = { do: 'remote', url: join(folder, 'remote.git') };

  const write = (slot: Slot | undefined): readonly [Slot, Sent] => {
    const commandId = newUlid(Date.now());
    if (slot?.id !== undefined) {
      slot.isShared = true;
      slot.version += 1;
      const set = { body: bodyText(slot.name, slot.version) };
      return [slot, { commandId, command: { kind: 'edit', id: slot.id, set } }];
    }
    const name = planner.newName('p');
    const command = {
      kind: 'write',
      type: 'semantic',
      title: `note ${name}`,
      body: bodyText(name, 1),
      project: 'p',
      scope: 'portable',
      tags: [],
      keywords: [],
      supersedes: [],
    } as const;
    const [state] = [changeOf(command)({ ...command, alive: false })];
    const made = model.add(name, state);
    made.isShared = true;
    return [made, { commandId, command }];
  };

  return {
    async act() {
      const parts = [write(undefined), ...(random.chance(0.6) ? [write(planner.pick())] : [])];
      for (const [slot, { command }] of parts) model.began(slot, changeOf(command));
      await send(
        [connect, { do: 'sync' }, { do: 'perform', sent: parts.map(([, sent]) => sent) }, { do: 'sync' }],
        (told) => {
          const part = told.tell === 'answered' ? parts[told.part] : undefined;
          if (told.tell !== 'answered' || told.status !== 'recorded' || part === undefined) return;
          const [slot, { command }] = part;
          slot.id ??= told.note;
          const { body } = changeOf(command)(slot.states[0]!);
          model.texts.add(body.split('\n')[0] ?? '');
        },
      );
    },
    sync: () => send([connect, { do: 'sync' }]),
    async check() {
      let digest = '';
      await send([{ do: 'check' }], (told) => {
        if (told.tell !== 'checked') return;
        digest = told.report.digest;
        const { problems, verified } = told.report;
        if (problems.length > 0 || !verified) throw new Error(`the other machine: ${problems.join('\n')} ${verified}`);
      });
      return digest;
    },
  };
};
