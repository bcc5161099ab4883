/**
 * Messages to and from the process that runs a model. Plain data. What comes from it is looked at before it is believed: a
 * package that is not ours runs there, and may send whatever it likes.
 */
import type { ModelManifest } from './manifest.js';

export type ToHost =
  | {
      readonly kind: 'open';
      /** The runtime's file, the folder of all models, and the one to be run. */
      readonly entry: string;
      readonly models: string;
      readonly name: string;
      readonly manifest: ModelManifest;
      readonly threads: number;
    }
  /** With a question, each text is judged as its answer. */
  | {
      readonly kind: 'run';
      readonly ask: number;
      readonly texts: readonly string[];
      readonly question?: string | undefined;
    };

export type FromHost =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly why: string; readonly isDamage: boolean }
  /** One text's numbers after the other's: a vector, or a judgement. */
  | { readonly kind: 'ran'; readonly ask: number; readonly numbers: Float32Array }
  | { readonly kind: 'failed'; readonly ask: number; readonly why: string };

/** Undefined for what is no message of ours, as for one with numbers that can't be counted with. */
export const readFromHost = (message: unknown): FromHost | undefined => {
  if (typeof message !== 'object' || message === null) return undefined;
  const { kind, ask, numbers, why, isDamage }: Readonly<Record<string, unknown>> = { ...message };
  if (kind === 'opened') return { kind };
  if (kind === 'refused' && typeof why === 'string') return { kind, why: shorten(why), isDamage: isDamage === true };
  if (typeof ask !== 'number') return undefined;
  if (kind === 'failed' && typeof why === 'string') return { kind, ask, why: shorten(why) };
  const isCounted = kind === 'ran' && numbers instanceof Float32Array && numbers.every(Number.isFinite);
  return isCounted ? { kind, ask, numbers } : undefined;
};

/** Of one line: it becomes part of a sentence that an agent may read. */
export const shorten = (why: string): string =>
  why
    .slice(0, 3000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
