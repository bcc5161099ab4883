/** Collects result lines for the summary at the end of `npm run test:long`. */
import { appendFileSync } from 'node:fs';

export const reportLine = (line: string): void => {
  const file = process.env['ANAMNESIS_FAULTS_REPORT'];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
};
