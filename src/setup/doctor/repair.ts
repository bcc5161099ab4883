/** Repairs what a diagnosis found: each plan once, in the order of the checks; a failure does not stop the others. */
import { type Finding, type Fix, messageOf } from './check.js';

export type FixOutcome = { readonly fix: string; readonly done: boolean; readonly message: string };

/** Returns the fixes of these findings, each plan once. */
export const planFixes = (findings: readonly Finding[]): readonly Fix[] => {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  return fixes.filter((fix, at) => fixes.findIndex(({ plan }) => plan === fix.plan) === at);
};

export const carryOut = async (fixes: readonly Fix[]): Promise<readonly FixOutcome[]> => {
  const mended: FixOutcome[] = [];
  for (const { plan, carryOut: mend } of fixes) {
    try {
      mended.push({ fix: plan, done: true, message: await mend() });
    } catch (error) {
      const [line = ''] = messageOf(error).trim().split('\n');
      mended.push({ fix: plan, done: false, message: line });
    }
  }
  return mended;
};
