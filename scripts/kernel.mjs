/** npm run kernel: assembles src/embedding/kernel.wat into src/embedding/kernel-bytes.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

export const assemble = async (text) => {
  const { parseWat } = await openWabt();
  const module = parseWat('kernel.wat', text, { simd: true, bulk_memory: true });
  try {
    return Buffer.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
};

/** Characters per line of the file. */
const inLine = 118;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(import.meta.dirname, '..', 'src', 'embedding');
  const bytes = await assemble(readFileSync(join(folder, 'kernel.wat'), 'utf8'));
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${inLine}}`, 'g')) ?? [];
  const text = `/** kernel.wat, as \`npm run kernel\` assembles it. Data. */
export const kernelBytes =
  ${lines.map((line) => `'${line}'`).join(' +\n  ')};
`;
  writeFileSync(join(folder, 'kernel-bytes.ts'), text);
}
