/** A progress bar on stderr, shown only on a terminal. */
import { isTerminal, sayOver } from './output.js';

export type Progress = {
  show(stage: string, done: number, total: number | undefined): void;
  end(): void;
};

const cells = 24;

export const openProgress = (): Progress => {
  const visible = isTerminal('stderr');
  let shown = false;
  return {
    show(stage, done, total) {
      if (!visible) return;
      shown = true;
      const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
      const filled = Math.round((share ?? 0) * cells);
      const bar = share === undefined ? '' : `[${'#'.repeat(filled)}${'.'.repeat(cells - filled)}] `;
      sayOver(`${stage} ${bar}${done}${total === undefined ? '' : `/${total}`}`);
    },
    end() {
      if (shown) sayOver('');
    },
  };
};
