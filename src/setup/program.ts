/** Finds another program on PATH and runs it. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProgram } from '../agents/providers/find-program.js';
import { guardVariable } from '../agents/providers/guard.js';
import type { Surroundings } from './surroundings.js';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a program without a shell and waits for it. Resolves with code null if it can't be started or times out. */
export type Run = (command: string, args: readonly string[]) => Promise<Ran>;

/** Returns an absolute path, or undefined if none is found. On Windows only an .exe: it starts without a shell. */
export const findStartable = (name: string, surroundings: Surroundings): string | undefined =>
  findProgram(name, surroundings, ['.exe']);

/**
 * Returns the folder, or the nearest one above it where a program can be started. Given a missing working folder, the
 * system reports the program as missing, not the folder.
 */
export const startFolder = (path: string): string =>
  isEnterable(path) || dirname(path) === path ? path : startFolder(dirname(path));

const isEnterable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** A program that waits for something must not block init forever. */
const timeoutMs = 30_000;
const maxBytes = 64 * 1024;

export const runnerOf =
  ({ environment, home }: Surroundings): Run =>
  (command, args) =>
    new Promise((resolve) => {
      const child = spawn(command, args, {
        // Runs in the home folder, so that no project's own settings apply.
        cwd: startFolder(home),
        // Silences our own hooks: an agent runs them when it exits, even if it was only asked to change its settings.
        env: { ...environment, [guardVariable]: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        windowsHide: true,
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8').slice(0, maxBytes);
      // Its children may keep its pipes open after it exits.
      child.on('exit', () => setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), 500).unref());
      child.on('error', (error) => resolve({ code: null, stdout: '', stderr: error.message }));
      child.on('close', (code) => resolve({ code, stdout: textOf(out), stderr: textOf(err) }));
    });
