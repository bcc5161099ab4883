/** A vitest reporter: lists the slowest tests at the end, and the tests that passed only on a retry. */
const shown = 10;
/** In a short run the times are easy to see without the list. */
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
    if (retried.length > 0) print('\n passed only on a retry', retried, ({ retryCount }) => `${retryCount} more`);
  }
}

const print = (heading, rows, describe) => {
  const lines = rows.map((row) => {
    const { module, fullName } = row.test;
    return `${describe(row).padStart(9)}  ${module.relativeModuleId} > ${fullName}`;
  });
  process.stdout.write(`${[heading, ...lines].join('\n')}\n`);
};
