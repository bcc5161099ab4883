/** A reporter of vitest: says at the end which tests took longest, and which passed only when they were tried again. */
const shown = 10;
/** Whoever runs a few tests sees their times anyway. */
const enough = 200;

export default class TestTimes {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const timed = tests.flatMap((test) => {
      const diagnostic = test.diagnostic();
      return diagnostic === undefined ? [] : [{ test, ...diagnostic }];
    });
    const slowest = timed.toSorted((one, other) => other.duration - one.duration).slice(0, shown);
    const retried = timed.filter(({ test, retryCount }) => retryCount > 0 && test.ok());
    if (timed.length >= enough)
      print(
        `\n the ${shown} slowest of ${timed.length} tests`,
        slowest,
        ({ duration }) => `${(duration / 1000).toFixed(1)} s`,
      );
    if (retried.length > 0) print('\n passed only when tried again', retried, ({ retryCount }) => `${retryCount} more`);
  }
}

const print = (heading, rows, describe) => {
  const lines = rows.map((row) => {
    const { module, fullName } = row.test;
    return `${describe(row).padStart(9)}  ${module.relativeModuleId} > ${fullName}`;
  });
  process.stdout.write(`${[heading, ...lines].join('\n')}\n`);
};
