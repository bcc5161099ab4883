/** A vitest reporter: lists the slowest tests at the end. */
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
    if (timed.length < enough) return;
    const lines = timed
      .toSorted((one, other) => other.duration - one.duration)
      .slice(0, shown)
      .map(({ test: { module, fullName }, duration }) => {
        const seconds = `${(duration / 1000).toFixed(1)} s`;
        return `${seconds.padStart(9)}  ${module.relativeModuleId} > ${fullName}`;
      });
    process.stdout.write(`${[`\n the ${shown} slowest of ${timed.length} tests`, ...lines].join('\n')}\n`);
  }
}
