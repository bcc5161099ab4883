/** Formats the difference of two measurements, in words and numbers. */
import type { ModeComparison } from '../../app/maintenance.js';
import { ink, type Style } from '../output.js';

type Gain = ModeComparison['measures']['nDCG@10'];

/** `+0.0131 (+0.0060 to +0.0204) better`. */
export const gainText = ({ difference, low, high, verdict }: Gain): string =>
  `${signed(difference)} (${signed(low)} to ${signed(high)}) ${verdict}`;

export const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;

const styles: Readonly<Record<Gain['verdict'], Style>> = { better: 'green', worse: 'red', 'no difference': 'dim' };

export const inkVerdict = (verdict: Gain['verdict'], text: string): string => ink(styles[verdict], text);
