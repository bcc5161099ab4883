/** Progress on stderr, shown only on a terminal. */
import { isTerminal, sayOver } from './output.js';

export type Progress = {
  show(stage: string, done: number, total: number | undefined): void;
  end(): void;
};

export const openProgress = (): Progress => {
  const visible = isTerminal('stderr');
  let shown = false;
  return {
    show(stage, done, total) {
      if (visible) sayOver(`${stage} ${done}${total === undefined ? '' : `/${total}`}`);
      shown = visible;
    },
    end() {
      if (shown) sayOver('');
    },
  };
};
