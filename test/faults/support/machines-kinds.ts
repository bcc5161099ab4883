/** The further kinds of step, each of which KINDS can switch on separately. */
import { copiedStep, folderStep, renamedStep } from './machines-copies.js';
import type { Fleet, Machine } from './machines-fleet.js';
import { amendedStep, mergedOursStep, reorderedStep, reusedStep } from './machines-history.js';
import { hostilePurgeStep, hostileTrailersStep } from './machines-hostile.js';
import { localStep } from './machines-local.js';
import { rewordedStep, takenBackStep } from './machines-rewriting.js';
import { savedBetweenStep, savingStep } from './machines-saving.js';
import { secretStep } from './machines-secrets.js';
import { closedStep } from './machines-sync.js';
import { remadeStep, unfinishedStep } from './machines-unfinished.js';

const steps = {
  /** A file that can't be parsed, is empty or was half saved while commands work on its note. */
  unfinished: unfinishedStep,
  /** A file recreated by hand where a note was forgotten, or copied to where a move would put it. */
  remade: remadeStep,
  /** A second file of a note: an older version, or one with more in it, in another folder. */
  copied: copiedStep,
  renamed: renamedStep,
  /** A dozen notes in a folder that is renamed. */
  folder: folderStep,
  /** `git commit --amend` of published and unpublished commits. */
  amended: amendedStep,
  /** A commit with the message, and so the event, of an earlier one. */
  reused: reusedStep,
  reordered: reorderedStep,
  /** `git revert` of the latest commit. */
  takenBack: takenBackStep,
  /** A rebase that changes a message and no text. */
  reworded: rewordedStep,
  /** `git merge -s ours`: what others wrote is dropped on purpose. */
  ours: mergedOursStep,
  /** Machine-local here, changed elsewhere. */
  local: localStep,
  /** Commits of a stranger with forged trailers. */
  trailers: hostileTrailersStep,
  /** A history replaced by a stranger, with a forged record of a purge. */
  purges: hostilePurgeStep,
  /** A push that is rejected after the remote was merged. */
  closed: closedStep,
  secrets: secretStep,
  /** A program that saves a file every few ms. */
  saving: savingStep,
  /** A file that is saved while a command is between two of its steps. */
  between: savedBetweenStep,
} as const satisfies Readonly<Record<string, (fleet: Fleet, machine: Machine) => Promise<void>>>;

export type Kind = keyof typeof steps;

export const isKind = (name: string): name is Kind => Object.hasOwn(steps, name);
export const kinds: readonly Kind[] = Object.keys(steps).filter(isKind);

export const takeKind = (fleet: Fleet, machine: Machine, kind: Kind): Promise<void> => {
  fleet.log(machine, `${kind}:`);
  return steps[kind](fleet, machine);
};
