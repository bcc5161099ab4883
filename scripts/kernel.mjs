/**
 * npm run kernel: assembles src/embedding/kernel.wat into src/embedding/kernel-bytes.ts. It knows the part of WebAssembly's
 * text format that is used there: folded instructions, a name for everything, one memory, which is imported.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const opcodes = {
  br: [0x0c],
  br_if: [0x0d],
  call: [0x10],
  select: [0x1b],
  'local.get': [0x20],
  'local.set': [0x21],
  'global.get': [0x23],
  'i32.load': [0x28],
  'f32.load': [0x2a],
  'f64.load': [0x2b],
  'i32.load8_s': [0x2c],
  'i32.load8_u': [0x2d],
  'i32.load16_s': [0x2e],
  'i32.load16_u': [0x2f],
  'f32.store': [0x38],
  'f64.store': [0x39],
  'i32.store': [0x36],
  'i32.const': [0x41],
  'f64.const': [0x44],
  'i32.eq': [0x46],
  'i32.ne': [0x47],
  'i32.lt_u': [0x49],
  'i32.gt_u': [0x4b],
  'i32.ge_u': [0x4f],
  'f32.gt': [0x5e],
  'f64.gt': [0x64],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.mul': [0x6c],
  'i32.and': [0x71],
  'i32.xor': [0x73],
  'i32.shl': [0x74],
  'i32.shr_u': [0x76],
  'f32.max': [0x97],
  'f64.sqrt': [0x9f],
  'f64.add': [0xa0],
  'f64.mul': [0xa2],
  'f64.div': [0xa3],
  'f64.max': [0xa5],
  'f32.demote_f64': [0xb6],
  'f64.convert_i32_s': [0xb7],
  'f64.promote_f32': [0xbb],
  'memory.fill': [0xfc, 11, 0],
  'v128.load': [0xfd, 0],
  'v128.load8x8_s': [0xfd, 1],
  'v128.store': [0xfd, 11],
  'i16x8.splat': [0xfd, 16],
  'i32x4.splat': [0xfd, 17],
  'f64x2.splat': [0xfd, 20],
  'i32x4.extract_lane': [0xfd, 27],
  'i16x8.extend_low_i8x16_s': [0xfd, 0x87, 1],
  'i32x4.extend_low_i16x8_s': [0xfd, 0xa7, 1],
  'i32x4.add': [0xfd, 0xae, 1],
  'i32x4.mul': [0xfd, 0xb5, 1],
  'i32x4.dot_i16x8_s': [0xfd, 0xba, 1],
  'f64x2.add': [0xfd, 0xf0, 1],
  'f64x2.mul': [0xfd, 0xf2, 1],
  'f64x2.convert_low_i32x4_s': [0xfd, 0xfe, 1],
};
const types = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b };

const parse = (text) => {
  const tokens = text.replace(/;;.*/g, '').match(/[()]|"[^"]*"|[^\s()]+/g);
  let at = 0;
  const read = () => {
    const token = tokens[at++];
    if (token !== '(') return token;
    const list = [];
    while (tokens[at] !== ')') list.push(read());
    at += 1;
    return list;
  };
  return read();
};

const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(Math.floor(value / 128))]);
const signed = (value) => (value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]);
const doubleOf = (value) => [...new Uint8Array(Float64Array.of(Number(value)).buffer)];
const sized = (bytes) => [...unsigned(bytes.length), ...bytes];
const vector = (items) => [...unsigned(items.length), ...items.flat()];
const nameOf = (text) => sized([...Buffer.from(text.replaceAll('"', ''))]);
const section = (id, items) => [id, ...sized(vector(items))];

const indexIn = (names, name, of) => {
  const index = names.indexOf(name);
  if (index === -1) throw new Error(`no ${of} ${name}`);
  return index;
};

const assembleFunction = ([, ...parts], functions, globals) => {
  const declared = (kind) => parts.filter(([head]) => head === kind).map(([, name, type]) => ({ name, type }));
  const locals = declared('local');
  const names = [...declared('param'), ...locals].map(({ name }) => name);
  const body = parts.filter((part) => Array.isArray(part) && !['param', 'local', 'result', 'export'].includes(part[0]));
  const emit = ([head, ...rest], labels) => {
    const all = (list) => list.flatMap((one) => emit(one, labels));
    if (head === 'block' || head === 'loop') {
      const [label, ...inner] = rest;
      return [head === 'block' ? 2 : 3, 0x40, ...inner.flatMap((one) => emit(one, [label, ...labels])), 0x0b];
    }
    if (head === 'if') {
      const [condition, [, ...then]] = rest;
      return [...emit(condition, labels), 4, 0x40, ...then.flatMap((one) => emit(one, ['', ...labels])), 0x0b];
    }
    const opcode = opcodes[head];
    if (opcode === undefined) throw new Error(`unknown: ${head}`);
    const [first] = rest;
    if (head === 'i32.const') return [...opcode, ...signed(Number(first))];
    if (head === 'f64.const') return [...opcode, ...doubleOf(first)];
    if (head === 'local.get') return [...opcode, ...unsigned(indexIn(names, first, 'local'))];
    if (head === 'global.get') return [...opcode, ...unsigned(indexIn(globals, first, 'global'))];
    const [named, inner] = Array.isArray(first) || first === undefined ? [[], rest] : [[first], rest.slice(1)];
    const before = all(inner);
    if (head === 'local.set') return [...before, ...opcode, ...unsigned(indexIn(names, first, 'local'))];
    if (head === 'call') return [...before, ...opcode, ...unsigned(indexIn(functions, first, 'function'))];
    if (head === 'br' || head === 'br_if') return [...before, ...opcode, ...unsigned(indexIn(labels, first, 'label'))];
    if (head.endsWith('extract_lane')) return [...before, ...opcode, Number(named[0])];
    // Neither alignment is promised, nor an offset given.
    return /\.(?:load|store)/.test(head) ? [...before, ...opcode, 0, 0] : [...before, ...opcode];
  };
  const code = body.flatMap((one) => emit(one, []));
  return sized([...vector(locals.map(({ type }) => [1, types[type]])), ...code, 0x0b]);
};

/** The bytes of a module, from its text. */
export const assemble = (text) => {
  const [, ...parts] = parse(text);
  const [[, module, name]] = parts.filter(([head]) => head === 'import');
  const functions = parts.filter(([head]) => head === 'func');
  const globals = parts.filter(([head]) => head === 'global');
  const namesOf = (list) => list.map(([, own]) => own);
  const typesOf = (one, kind) => one.filter(([head]) => head === kind).map((part) => [types[part.at(-1)]]);
  const exported = (list, kind) =>
    list.flatMap((one, at) => one.filter(([head]) => head === 'export').map(([, as]) => [...nameOf(as), kind, at]));
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      functions.map((one) => [0x60, ...vector(typesOf(one, 'param')), ...vector(typesOf(one, 'result'))]),
    ),
    ...section(2, [[...nameOf(module), ...nameOf(name), 2, 0, 0]]),
    ...section(
      3,
      functions.map((_, at) => unsigned(at)),
    ),
    ...section(
      6,
      globals.map(([, , , [, type]]) =>
        type === 'f64' ? [types.f64, 1, 0x44, ...doubleOf(0), 0x0b] : [types.i32, 1, 0x41, 0, 0x0b],
      ),
    ),
    ...section(7, [...exported(globals, 3), ...exported(functions, 0)]),
    ...section(
      10,
      functions.map((one) => assembleFunction(one, namesOf(functions), namesOf(globals))),
    ),
  ]);
};

const root = join(fileURLToPath(import.meta.url), '..', '..');
const folder = join(root, 'src', 'embedding');
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = assemble(readFileSync(join(folder, 'kernel.wat'), 'utf8')).toString('base64');
  const lines = text.match(/.{1,110}/g).map((line) => `  '${line}'`);
  writeFileSync(
    join(folder, 'kernel-bytes.ts'),
    `/** kernel.wat, as \`npm run kernel\` assembles it. Data. */\nexport const kernelBytes =\n${lines.join(' +\n')};\n`,
  );
}
