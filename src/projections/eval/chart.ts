/** A chart of quality against latency as SVG, readable without a style sheet or a script. Pure. */
import { type BenchMode, type BenchReport, benchModes } from './bench-report.js';

export type ChartPoint = {
  readonly label: string;
  /** Points of one mode share a colour and a mark. */
  readonly mode: BenchMode;
  /** Median in milliseconds, greater than 0. */
  readonly latencyMs: number;
  /** nDCG@10 with its 95 % interval. */
  readonly quality: number;
  readonly low: number;
  readonly high: number;
  /** The mean of the others: drawn larger, with its interval. */
  readonly isMain: boolean;
};

/** A point for each set and mode; if there are several sets, the mean of each mode stands out. */
export const chartPoints = ({ sets, mean }: BenchReport): readonly ChartPoint[] => {
  const means = benchModes.flatMap((mode): readonly ChartPoint[] => {
    const of = mean?.[mode];
    if (of === undefined) return [];
    const { ndcg10: quality, p50Ms: latencyMs, interval } = of;
    return [{ label: `mean of all sets, ${mode}`, mode, latencyMs, quality, ...interval, isMain: true }];
  });
  const single = Object.entries(sets).flatMap(([name, { modes }]) =>
    benchModes.flatMap((mode): readonly ChartPoint[] => {
      const of = modes[mode];
      if (of === undefined) return [];
      const { ndcg10: quality, p50Ms: latencyMs, interval } = of;
      return [{ label: `${name}, ${mode}`, mode, latencyMs, quality, ...interval, isMain: means.length === 0 }];
    }),
  );
  return [...single, ...means];
};

const width = 760;
const height = 480;
const left = 64;
const right = 24;
const top = 84;
const bottom = 56;

/** Distinct without telling red from green; the marks differ too. */
const looks: Readonly<Record<BenchMode, { readonly colour: string; readonly name: string }>> = {
  keyword: { colour: '#0b62a4', name: 'keyword' },
  hybrid: { colour: '#c1440e', name: 'hybrid (with a model)' },
  semantic: { colour: '#2e7d4f', name: 'semantic' },
  bm25: { colour: '#5a5a5a', name: 'plain BM25' },
  grep: { colour: '#9a7d0a', name: 'grep (by count)' },
};

export const drawChart = (title: string, points: readonly ChartPoint[]): string => {
  const x = logScale(points.map(({ latencyMs }) => latencyMs));
  const y = shareScale(points.flatMap(({ low, high, quality }) => [low, high, quality]));
  const main = points.filter(({ isMain }) => isMain);
  const modes = benchModes.filter((mode) => points.some((point) => point.mode === mode));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${left}" y="26" font-size="16" font-weight="600" fill="#111111">${escapeXml(title)}</text>`,
    ...legend(modes, main.length < points.length),
    ...y.ticks.map((share) => tickLine(left, y.at(share), width - right, y.at(share), share.toFixed(2), 'left')),
    ...x.ticks.map((ms) => tickLine(x.at(ms), top, x.at(ms), height - bottom, `${ms}`, 'below')),
    `<text x="${(left + width - right) / 2}" y="${height - 14}" text-anchor="middle" fill="#333333">milliseconds a search, median (left is faster)</text>`,
    `<text transform="translate(16 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle" fill="#333333">nDCG@10 (higher is better)</text>`,
    ...points.filter(({ isMain }) => !isMain).map((point) => mark(point, x.at(point.latencyMs), y.at(point.quality))),
    ...main.flatMap((point) => [
      whisker(point, x.at(point.latencyMs), y.at(point.low), y.at(point.high)),
      mark(point, x.at(point.latencyMs), y.at(point.quality)),
    ]),
    ...labels(main.map((point) => ({ point, x: x.at(point.latencyMs), y: y.at(point.quality) }))),
    '</svg>',
    '',
  ].join('\n');
};

const legend = (modes: readonly BenchMode[], hasMeans: boolean): readonly string[] => {
  let at = left + 6;
  const shown = modes.flatMap((mode) => {
    const x = at;
    at += 28 + looks[mode].name.length * 6.4;
    return [
      shapeOf(mode, x, 48, 5, 1),
      `<text x="${x + 11}" y="52" fill="#333333">${escapeXml(looks[mode].name)}</text>`,
    ];
  });
  const caption = `<text x="${left}" y="68" fill="#666666">large: the mean with its 95 % interval; small: each set</text>`;
  return hasMeans ? [...shown, caption] : shown;
};

const tickLine = (x1: number, y1: number, x2: number, y2: number, text: string, side: 'left' | 'below'): string => {
  const label =
    side === 'left'
      ? `<text x="${x1 - 8}" y="${round(y1 + 4)}" text-anchor="end" fill="#333333">${text}</text>`
      : `<text x="${round(x1)}" y="${y2 + 18}" text-anchor="middle" fill="#333333">${text}</text>`;
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#dddddd"/>${label}`;
};

/** Its tooltip names it, since the labels of many points would overlap. */
const mark = (point: ChartPoint, x: number, y: number): string => {
  const { label, mode, quality, latencyMs, low, high, isMain } = point;
  const tooltip = `${label}: nDCG@10 ${quality.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), ${latencyMs.toFixed(2)} ms`;
  return `<g><title>${escapeXml(tooltip)}</title>${shapeOf(mode, x, y, isMain ? 7 : 4, isMain ? 1 : 0.45)}</g>`;
};

type Placed = { readonly point: ChartPoint; readonly x: number; readonly y: number };
type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Puts each label beside its mark, or where it covers no other label or mark. */
const labels = (placed: readonly Placed[]): readonly string[] => {
  const taken: Box[] = placed.map(({ x, y }) => ({ x: x - 9, y: y - 9, width: 18, height: 18 }));
  return placed.map(({ point: { mode, quality }, x, y }) => {
    const text = `${mode} ${quality.toFixed(3)}`;
    const size = { width: text.length * 7, height: 14 };
    const places: readonly Box[] = [
      { x: x + 12, y: y - 7, ...size },
      { x: x - 12 - size.width, y: y - 7, ...size },
      ...[26, 42, 58].flatMap((away) => [
        { x: x - size.width / 2, y: y - away, ...size },
        { x: x - size.width / 2, y: y + away - 14, ...size },
      ]),
    ];
    const fits = (box: Box): boolean =>
      box.x >= left && box.x + box.width <= width && !taken.some((other) => overlap(box, other));
    const box = places.find(fits) ?? { x: x + 12, y: y - 7, ...size };
    taken.push(box);
    return `<text x="${round(box.x)}" y="${round(box.y + 11)}" fill="${looks[mode].colour}">${text}</text>`;
  });
};

const shapeOf = (mode: BenchMode, x: number, y: number, size: number, opacity: number): string => {
  const paint = `fill="${looks[mode].colour}" fill-opacity="${opacity}"`;
  const [px, py] = [round(x), round(y)];
  switch (mode) {
    case 'keyword':
      return `<circle cx="${px}" cy="${py}" r="${size}" ${paint}/>`;
    case 'hybrid':
      return `<path d="M${px} ${round(y - size)}L${round(x + size)} ${py}L${px} ${round(y + size)}L${round(x - size)} ${py}Z" ${paint}/>`;
    case 'semantic':
      return `<path d="M${px} ${round(y + size)}L${round(x + size)} ${round(y - size)}L${round(x - size)} ${round(y - size)}Z" ${paint}/>`;
    case 'bm25':
      return `<rect x="${round(x - size * 0.85)}" y="${round(y - size * 0.85)}" width="${round(size * 1.7)}" height="${round(size * 1.7)}" ${paint}/>`;
    case 'grep':
      return `<path d="M${px} ${round(y - size)}L${round(x + size)} ${round(y + size)}L${round(x - size)} ${round(y + size)}Z" ${paint}/>`;
  }
};

const whisker = ({ mode }: ChartPoint, x: number, low: number, high: number): string =>
  `<path d="M${round(x)} ${round(low)}V${round(high)}M${round(x - 4)} ${round(low)}h8M${round(x - 4)} ${round(high)}h8" stroke="${looks[mode].colour}" fill="none"/>`;

type Scale = { at(value: number): number; readonly ticks: readonly number[] };

/** Clocks resolve no less than that. */
const leastMs = 1e-3;

/** Steps of 1, 2 and 5 around all values. */
const logScale = (values: readonly number[]): Scale => {
  const known = values.map((value) => Math.max(value, leastMs));
  const steps = Array.from({ length: 30 }, (_, at) => Number(`${[1, 2, 5][at % 3]}e${Math.floor(at / 3) - 4}`));
  const least = Math.min(...known, 1e3);
  const most = Math.max(...known, least);
  const from = steps.findLast((step) => step <= least * 0.9) ?? 1e-4;
  const to = steps.find((step) => step >= most * 1.1) ?? 5e5;
  const span = Math.log(to) - Math.log(from);
  return {
    at: (value) => left + ((Math.log(Math.max(value, from)) - Math.log(from)) / span) * (width - left - right),
    ticks: steps.filter((step) => step >= from && step <= to),
  };
};

/** Steps of a tenth, or a twentieth if all values are close together. */
const shareScale = (values: readonly number[]): Scale => {
  const least = Math.min(...values, 1);
  const most = Math.max(...values, 0);
  const step = most - least > 0.3 ? 0.1 : 0.05;
  const from = Math.max(0, Math.floor((least - 0.01) / step) * step);
  const to = Math.min(1, Math.max(Math.ceil((most + 0.01) / step) * step, from + step));
  const count = Math.round((to - from) / step);
  return {
    at: (value) => height - bottom - ((value - from) / (to - from)) * (height - top - bottom),
    ticks: Array.from({ length: count + 1 }, (_, at) => from + at * step),
  };
};

const round = (value: number): number => Math.round(value * 10) / 10;

/** A set's name is a folder's: characters that XML does not allow are left out. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
