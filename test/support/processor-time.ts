/** Processor time of this process so far, in milliseconds: a busy machine makes a test wait, but not compute more. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
